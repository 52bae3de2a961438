/**
 * What a sub-agent said and did inside a call. A tool shows it by `ctx.progress({"messages": [...]})`
 * while it runs and keeps it as `ToolResult(artifact={"messages": [...]})`; a message is
 * `{role, text}` or `{role, parts}` with parts of text and tool calls.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { ToolCallView } from "../client/message-view.js";
import { visible, type Json, type JsonObject } from "../core/index.js";
import { icons } from "./icons.js";
import "./markdown.js";
import { t } from "./texts.js";
import { summary, toolTitle } from "./values.js";

const MOST = 50;

export function nestedView(call: ToolCallView): TemplateResult | typeof nothing {
  const messages = messagesIn(call.artifact) ?? messagesIn(call.progress) ?? [];
  if (messages.length === 0) return nothing;
  return html`<ol class="nested" part="nested" aria-label=${t("subAgent")}>
    ${messages.slice(-MOST).map((message) => html`<li>${partsOf(message).map(partView)}</li>`)}
  </ol>`;
}

/** The progress without what is shown as messages. */
export function messagesIn(value: Json | undefined): JsonObject[] | null {
  const messages = asObject(value)?.["messages"];
  return Array.isArray(messages) ? messages.filter((item): item is JsonObject => asObject(item) !== null) : null;
}

function partsOf({ text, parts }: JsonObject): JsonObject[] {
  if (Array.isArray(parts)) return parts.filter((part): part is JsonObject => asObject(part) !== null);
  return typeof text === "string" ? [{ type: "text", text }] : [];
}

function partView(part: JsonObject): TemplateResult | typeof nothing {
  if (part["type"] === "text" && typeof part["text"] === "string") {
    return html`<agentui-markdown exportparts="markdown" .text=${part["text"]}></agentui-markdown>`;
  }
  if (part["type"] !== "tool_call" || typeof part["tool_name"] !== "string") return nothing;
  const args = asObject(part["args"] ?? null);
  return html`<p class="nested-call">
    ${part["is_error"] === true ? icons.alert(13) : icons.bolt(13)}<b>${toolTitle(part["tool_name"])}</b>
    <span dir="auto">${args ? summary(args) : ""}${typeof part["result"] === "string" ? ` → ${visible(part["result"].slice(0, 200))}` : ""}</span>
  </p>`;
}

function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}

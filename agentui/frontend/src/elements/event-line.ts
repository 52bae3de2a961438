/**
 * An event in one short line. What the model is told about it is longer, and for the model; the line
 * is made from the event's data.
 */
import { html, type TemplateResult } from "lit";
import type { MessageView } from "../client/message-view.js";
import { ANSWERED, type Json } from "../core/index.js";
import { icons } from "./icons.js";
import { t, type TextKey } from "./texts.js";
import { toolTitle } from "./values.js";

const LINES: Partial<Record<string, [TextKey, keyof typeof icons]>> = {
  complete: ["eventApproved", "check"],
  failed: ["eventFailed", "alert"],
  denied: ["eventDenied", "ban"],
  expired: ["eventExpired", "clock"],
  cancelled: ["eventCancelled", "ban"],
  interrupted: ["eventInterrupted", "bolt"],
};

export function eventLine(message: MessageView): TemplateResult {
  const outcome = outcomeOf(message);
  const [key, icon] = (outcome && LINES[outcome.status]) ?? (["eventOther", "bolt"] as const);
  const tool = toolTitle(outcome?.tool ?? "");
  return html`<p class="event" part="event">${icons[icon](14)}<span dir="auto">${t(key, { tool })}</span></p>`;
}

function outcomeOf(message: MessageView): { tool: string; status: string } | null {
  const part = message.parts.find((part) => part.type === "data" && part.name === "tool_call_outcome");
  const data = part?.type === "data" ? (part.data as { tool_name?: Json; status?: Json } | null) : null;
  if (typeof data?.tool_name !== "string" || typeof data.status !== "string") return null;
  return ANSWERED.has(data.status as never) ? { tool: data.tool_name, status: data.status } : null;
}

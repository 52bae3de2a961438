/** The page's own picture of a call, from the registry; null where it has none. */
import { html, nothing, type TemplateResult } from "lit";
import type { Client } from "../client/client.js";
import type { ToolCallView } from "../client/message-view.js";
import { ANSWERED } from "../core/index.js";
import type { RenderProps, RenderStatus } from "../registry/tool.js";
import { readArgs } from "./values.js";

export function renderedByPage(call: ToolCallView, client: Client | null): TemplateResult | null {
  const renderer = client?.registry.getRenderer(call.tool_name) ?? null;
  if (client === null || renderer === null) return null;
  const status = statusOf(call);
  const props: RenderProps = {
    name: call.tool_name,
    status,
    args: readArgs(call.args_text),
    result: call.result ?? null,
    isError: call.is_error,
    toolCall: { id: call.id, name: call.tool_name, argsText: call.args_text, thread: null },
  };
  if (status === "executing" && awaitsPerson(call, client)) {
    props.respond = (result) => void client.runner.respond(call, result ?? null).catch(reportError);
  }
  try {
    const picture = renderer(props);
    return picture === null || picture === undefined ? null : html`${picture as TemplateResult}`;
  } catch (error) {
    reportError(error); // a broken renderer must not take the thread with it
    return html`${nothing}`;
  }
}

function statusOf(call: ToolCallView): RenderStatus {
  if (ANSWERED.has(call.status)) return "complete";
  return call.status === "streaming" ? "in_progress" : "executing";
}

function awaitsPerson(call: ToolCallView, client: Client): boolean {
  if (call.kind === "human") return true;
  const tool = client.registry.getTool(call.tool_name);
  return call.kind === "frontend" && tool?.renderAndWaitForResponse !== undefined;
}

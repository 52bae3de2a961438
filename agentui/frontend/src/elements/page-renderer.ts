/** The page's own picture of a call, from the registry; null where it has none. */
import { html, nothing, type TemplateResult } from "lit";
import type { Client } from "../client/client.js";
import type { ToolCallView } from "../client/message-view.js";
import type { ThreadStore } from "../client/thread-store.js";
import { ANSWERED } from "../core/index.js";
import { questionOf } from "../page-tools/confirm-card.js";
import { asksPerson, type Renderer, type RenderProps, type RenderStatus, type Tool } from "../registry/tool.js";
import { readArgs } from "./values.js";

export function renderedByPage(
  call: ToolCallView,
  client: Client | null,
  store: ThreadStore | null,
): TemplateResult | null {
  if (client === null) return null;
  const agent = store?.agent;
  const tool = call.kind === "frontend" ? client.registry.getTool(call.tool_name, { agent }) : null;
  const status = statusOf(call);
  const asks = status === "executing" && awaitsPerson(call, tool, client);
  const renderer = client.registry.getRenderer(call.tool_name, { agent }) ?? (asks && tool?.confirm ? cardFor(tool) : null);
  if (renderer === null) return null;
  const props: RenderProps = {
    name: call.tool_name,
    status,
    args: readArgs(call.args_text),
    result: call.result ?? null,
    isError: call.is_error,
    toolCall: { id: call.id, name: call.tool_name, argsText: call.args_text, thread: store?.id ?? null },
  };
  if (asks) {
    props.respond = (result) => void client.runner.respond(call, result ?? null).catch((error) => reportError(error));
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

function awaitsPerson(call: ToolCallView, tool: Tool | null, client: Client): boolean {
  if (call.kind === "human") return true;
  if (tool === null || !asksPerson(tool)) return false;
  // Once allowed, a tool that asks first runs; a question waits for its answer until it is there.
  const runs = call.isClaimed || client.runner.running.includes(call.id);
  return tool.renderAndWaitForResponse !== undefined || !runs;
}

function cardFor(tool: Tool): Renderer {
  return (props) =>
    html`<agentui-confirm-card exportparts="approval" .props=${props} .question=${questionOf(tool, props)}></agentui-confirm-card>`;
}

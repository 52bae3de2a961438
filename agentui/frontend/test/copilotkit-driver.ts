/** Plays the steps of a CopilotKit case with this client, and says what came of it in our words. */
import { vi } from "vitest";
import type { Json, JsonObject } from "../src/core/index.js";
import type { RenderProps, Tool } from "../src/registry/index.js";
import { callRow, messageRow } from "../dev/rows.js";
import { addThread, follow, openPage, type Page } from "./page.js";
import { joinToolCall } from "../src/client/message-view.js";
import { renderedByPage } from "../src/elements/page-renderer.js";

export interface CaseTool {
  name: string;
  available?: boolean | "disabled";
  handler: { return?: Json; echo?: true } | null;
}

export interface CaseCall {
  id: string;
  name: string;
  arguments: string;
}

export interface Played {
  handled: [string, Json][];
  tool_messages: [string, Json][];
  tools_sent: string[];
}

/** The page has these tools, and the agent makes these calls. */
export async function play(tools: CaseTool[], calls: CaseCall[], answered: JsonObject = {}): Promise<Played> {
  const page = await openPage();
  const handled: [string, Json][] = [];
  for (const tool of tools) page.registry.registerTool(toolOf(tool, handled));
  await vi.advanceTimersByTimeAsync(1);
  const rows = calls.map((call, position) =>
    callRow(call.id, {
      kind: "frontend",
      position,
      tool_name: call.name,
      args_text: call.arguments,
      ...(call.id in answered ? { status: "complete", result: answered[call.id] as Json } : {}),
    }),
  );
  answerLikeTheServer(page, rows);
  addThread(page.server, { messages: [messageRow("a1", { status: { type: "requires_action", reason: "tool_calls" } })] });
  page.client.runner.watch(await follow(page));
  await vi.advanceTimersByTimeAsync(100);
  page.server.change("t1", { tool_calls: rows });
  await vi.advanceTimersByTimeAsync(8_000);
  const sent = page.server.of("register_tools").at(-1)?.["tools"] as { name: string }[] | undefined;
  page.client.close();
  return { handled, tool_messages: messages(page), tools_sent: (sent ?? []).map((tool) => tool.name) };
}

function toolOf({ name, available, handler }: CaseTool, handled: [string, Json][]): Tool {
  return {
    name,
    ...(available === undefined ? {} : { available }),
    ...(handler === null
      ? {}
      : {
          handler: (args: JsonObject, { toolCall }: { toolCall: { id: string } }) => {
            handled.push([toolCall.id, args]);
            return handler.echo ? args : handler.return;
          },
        }),
  };
}

function answerLikeTheServer({ server }: Page, rows: ReturnType<typeof callRow>[]): void {
  const find = (id: unknown): ReturnType<typeof callRow> => rows.find((row) => row.id === id) as ReturnType<typeof callRow>;
  server.on("claim_tool_call", ({ tool_call: id }) => ({ claimed: true, args_text: find(id).args_text }));
  server.on("submit_tool_result", ({ tool_call: id, error }) => {
    const status = error === undefined ? "complete" : "failed";
    server.change("t1", { tool_calls: [{ ...find(id), status }] });
    return { accepted: true };
  });
}

export function messages({ server }: Page): [string, Json][] {
  return server.of("submit_tool_result").map((command) => [
    String(command["tool_call"]),
    ("error" in command ? { error: command["error"] } : command["result"]) as Json,
  ]);
}

/** What the renderer of a question is given for a call in this state. */
export function shown(page: Page, call: Parameters<typeof callRow>[1]): { props: RenderProps; plain: JsonObject } {
  let props: RenderProps | undefined;
  page.registry.registerTool({ name: "x", renderAndWaitForResponse: (given) => ((props = given as RenderProps), "") });
  const row = callRow("a", { kind: "frontend", tool_name: "x", ...call });
  renderedByPage(joinToolCall("a1", { type: "tool_call", id: "a", tool_call_id: "a", tool_name: "x" }, row, null), page.client, null);
  const given = props as RenderProps;
  const plain: JsonObject = {
    status: given.status,
    args: given.args,
    respond: given.respond === undefined ? null : "function",
    ...(given.status === "complete" ? { result: given.result } : {}),
  };
  return { props: given, plain };
}

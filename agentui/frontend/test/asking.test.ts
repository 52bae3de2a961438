/** Tools that ask first, calls in their order, and calls of tools that another tab has. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Json } from "../src/core/index.js";
import type { ToolCallRow } from "../src/client/index.js";
import { AgentUIToolCard } from "../src/elements/tool-card.js";
import { FakeServer } from "../dev/fake-server.js";
import { callRow } from "../dev/rows.js";
import { addThread, follow, openPage, type Page } from "./page.js";

let page: Page;
let server: FakeServer;

const open = (id = "c1", fields: Partial<ToolCallRow> = {}): ToolCallRow =>
  callRow(id, { kind: "frontend", tool_name: "erase", args_text: '{"n":1}', ...fields });

beforeEach(async () => {
  vi.useFakeTimers();
  sessionStorage.clear();
  server = new FakeServer();
  addThread(server, {});
  page = await openPage(server);
  server.on("claim_tool_call", () => ({ claimed: true, args_text: '{"n":1}' }));
});
afterEach(() => {
  page.client.close();
  vi.useRealTimers();
});

async function watch(...calls: ToolCallRow[]): Promise<void> {
  page.client.runner.watch(await follow(page));
  await vi.advanceTimersByTimeAsync(100);
  server.change("t1", { tool_calls: calls });
  await vi.advanceTimersByTimeAsync(1_000);
}

function results(): Json[] {
  return server.of("submit_tool_result").map((command) => (command["error"] ?? command["result"]) as Json);
}

describe("a tool that asks first", () => {
  it("runs when the person says yes, and once", async () => {
    const handler = vi.fn(() => "erased");
    page.registry.registerTool({ name: "erase", confirm: true, handler });
    await watch(open());
    expect(handler).not.toHaveBeenCalled();
    expect(server.of("claim_tool_call")).toEqual([]);
    void page.client.runner.respond(open(), true);
    void page.client.runner.respond(open(), true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(handler).toHaveBeenCalledOnce();
    expect(results()).toEqual(["erased"]);
  });

  it("does not run when the person says no, and the agent is told", async () => {
    const handler = vi.fn();
    page.registry.registerTool({ name: "erase", confirm: (args) => `Erase ${args["n"]}?`, handler });
    await watch(open());
    await page.client.runner.respond(open(), false);
    expect(handler).not.toHaveBeenCalled();
    expect(results()).toEqual([{ done: false, reason: "The person said no to this." }]);
  });

  it("asks on its card, also when the page is late to register it", async () => {
    const card = new AgentUIToolCard();
    card.call = { ...open(), isClaimed: false } as unknown as AgentUIToolCard["call"];
    card.client = page.client;
    document.body.append(card);
    await watch(open());
    expect(card.shadowRoot?.querySelector("agentui-confirm-card")).toBeNull();
    page.registry.registerTool({ name: "erase", confirm: true });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(card.shadowRoot?.querySelector("agentui-confirm-card")).not.toBeNull();
    card.remove();
  });

  it("asks nobody where it is switched off", async () => {
    page.registry.registerTool({ name: "erase", confirm: true, available: false });
    await watch(open());
    expect(results()).toEqual(['The tool "erase" is switched off.']);
  });

  it("does not ask again after a reload in which it was at work", async () => {
    page.registry.registerTool({ name: "erase", confirm: true, handler: () => new Promise(() => {}) });
    await watch(open());
    void page.client.runner.respond(open(), true);
    await vi.advanceTimersByTimeAsync(1_000);
    page.client.close();
    page = await openPage(server);
    page.registry.registerTool({ name: "erase", confirm: true, handler: (_args, { attempt }) => attempt });
    await watch(open());
    expect(results()).toEqual([2]);
  });
});

it("browser calls of one answer run one after the other, by position", async () => {
  const began: number[] = [];
  let finish: () => void = () => {};
  page.registry.registerTool({
    name: "erase",
    handler: (_args, { toolCall }) => {
      began.push(Number(toolCall.id));
      return new Promise((resolve) => (finish = () => resolve(toolCall.id)));
    },
  });
  server.on("submit_tool_result", ({ tool_call: id }) => {
    server.change("t1", { tool_calls: [open(String(id), { position: Number(id), status: "complete" })] });
    return { accepted: true };
  });
  await watch(open("2", { position: 2 }), open("1", { position: 1 }));
  expect(began).toEqual([1]);
  finish();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(began).toEqual([1, 2]);
});

it("what a handler answered before the server could hear it is sent by the next page", async () => {
  const handler = vi.fn(() => "done");
  page.registry.registerTool({ name: "erase", handler });
  let isDeaf = true;
  server.on("submit_tool_result", () => {
    if (isDeaf) server.drop();
    return { accepted: true };
  });
  await watch(open());
  page.client.close();
  isDeaf = false;
  page = await openPage(server); // without the tool
  await watch(open());
  expect(handler).toHaveBeenCalledOnce();
  expect(results().at(-1)).toBe("done");
});

it("a call of a tool that only another tab has is left to that tab", async () => {
  vi.useRealTimers();
  const other = await openPage(new FakeServer());
  other.registry.registerTool({ name: "erase", renderAndWaitForResponse: () => "" });
  vi.useFakeTimers({ toFake: ["Date"] });
  page.client.runner.watch(await follow(page));
  await vi.waitFor(() => expect(server.of("subscribe")).toHaveLength(1));
  server.change("t1", { tool_calls: [open()] });
  await vi.waitFor(() => expect(page.client.runner.running).toEqual(["c1"]));
  vi.setSystemTime(Date.now() + 10_000);
  await vi.waitFor(() => expect(page.client.runner.running).toEqual([]));
  expect(server.of("claim_tool_call")).toEqual([]);
  other.client.close();
});

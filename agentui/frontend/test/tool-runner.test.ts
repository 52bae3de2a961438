import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ToolCallRow } from "../src/client/index.js";
import { FakeRefusal, type FakeServer } from "../dev/fake-server.js";
import { callRow } from "../dev/rows.js";
import { addThread, follow, openPage, settled, type Page } from "./page.js";

let page: Page;
let server: FakeServer;

const open = (fields: Partial<ToolCallRow> = {}): ToolCallRow =>
  callRow("c1", { kind: "frontend", tool_name: "greet", args_text: '{"who":"Mia"}', ...fields });

/** Answers claims and results as the server does, and remembers who holds the call. */
function asServer(): { holder: () => string } {
  let holder = "";
  server.on("claim_tool_call", (command) => {
    if (holder !== "" && holder !== command["tab"]) throw new FakeRefusal("claimed_elsewhere");
    holder = String(command["tab"]);
    return { claimed: true, args_text: '{"who":"Mia"}' };
  });
  server.on("submit_tool_result", (command) => {
    const failed = command["error"] !== undefined;
    server.change("t1", { tool_calls: [open({ status: failed ? "failed" : "complete", is_error: failed })] });
    return { accepted: true };
  });
  return { holder: () => holder };
}

async function watch(on = page): Promise<void> {
  on.client.runner.watch(await follow(on));
  await vi.advanceTimersByTimeAsync(0);
}

const results = (): Record<string, unknown>[] => server.of("submit_tool_result");

beforeEach(async () => {
  vi.useFakeTimers();
  sessionStorage.clear();
  page = await openPage();
  server = page.server;
  asServer();
  addThread(server, {});
});
afterEach(() => {
  page.client.close();
  vi.useRealTimers();
});

describe("a call of this page's tool", () => {
  it("is claimed, run and answered, once", async () => {
    const handler = vi.fn((args) => `Hello ${args.who}`);
    page.registry.registerTool({ name: "greet", handler });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    expect(handler).toHaveBeenCalledOnce();
    expect(server.of("claim_tool_call")).toHaveLength(1);
    expect(results()).toEqual([expect.objectContaining({ tool_call: "c1", result: "Hello Mia" })]);
  });

  it("that failed is answered too", async () => {
    page.registry.registerTool({ name: "greet", handler: () => Promise.reject(new Error("no luck")) });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    expect(results()).toEqual([expect.objectContaining({ error: "no luck" })]);
  });

  it.each<Partial<ToolCallRow>>([
    { status: "complete" },
    { status: "failed" },
    { status: "awaiting_approval" },
    { status: "streaming" },
    { kind: "server" },
    { kind: "human" },
  ])("is left alone as %j", async (fields) => {
    const handler = vi.fn();
    page.registry.registerTool({ name: "greet", handler });
    server.threads.get("t1")?.put({ tool_calls: [open(fields)] });
    await watch();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(handler).not.toHaveBeenCalled();
    expect(server.of("claim_tool_call")).toHaveLength(0);
  });

  it("no page has a tool for is answered with an error, after a while", async () => {
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(results()).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(results()).toEqual([expect.objectContaining({ error: 'There is no tool "greet" on this page.' })]);
  });

  it("runs when its tool is registered a little later", async () => {
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(2_000);
    page.registry.registerTool({ name: "greet", handler: () => "late" });
    await vi.advanceTimersByTimeAsync(200);
    expect(results()).toEqual([expect.objectContaining({ result: "late" })]);
  });

  it("that is cancelled on the server is aborted here and not answered", async () => {
    let signal: AbortSignal | undefined;
    page.registry.registerTool({ name: "greet", handler: (_args, context) => ((signal = context.signal), new Promise(() => {})) });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    server.change("t1", { tool_calls: [open({ status: "cancelled" })] });
    await vi.advanceTimersByTimeAsync(100);
    expect(signal?.aborted).toBe(true);
    expect(results()).toHaveLength(0);
  });

  it("whose answer the server refuses is not run again", async () => {
    const handler = vi.fn(() => "x");
    page.registry.registerTool({ name: "greet", handler });
    server.on("submit_tool_result", () => {
      throw new FakeRefusal("not_awaiting_result");
    });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(handler).toHaveBeenCalledOnce();
  });

  it("whose result is too large is answered with an error", async () => {
    page.registry.registerTool({ name: "greet", handler: () => "x".repeat(300_000) });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    expect(results()).toEqual([expect.objectContaining({ error: "The result is too large to send." })]);
  });

  it("that takes long is claimed again before its lease ends", async () => {
    page.registry.registerTool({ name: "greet", timeout: null, handler: () => new Promise(() => {}) });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(65_000);
    expect(server.of("claim_tool_call").length).toBeGreaterThanOrEqual(3);
  });
});

describe("two tabs", () => {
  it("run a call once; the other takes over when the first is gone", async () => {
    const handler = vi.fn();
    page.registry.registerTool({ name: "greet", handler });
    server.on("claim_tool_call", () => {
      throw new FakeRefusal("claimed_elsewhere");
    });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    const until = new Date(Date.now() + 60_000).toISOString();
    server.change("t1", { tool_calls: [open({ claimed_by: "other", claim_expires_at: until })] });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(handler).not.toHaveBeenCalled();
    asServer();
    await vi.advanceTimersByTimeAsync(35_000);
    expect(handler).toHaveBeenCalledOnce();
  });
});

describe("after a reload", () => {
  it("an open call of this tab is offered again, with its number", async () => {
    const attempts: number[] = [];
    const handler = (_args: unknown, { attempt }: { attempt: number }): Promise<never> => {
      attempts.push(attempt);
      return new Promise(() => {});
    };
    page.registry.registerTool({ name: "greet", handler });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    for (let reload = 0; reload < 3; reload++) {
      page.client.close();
      page = await openPage(server);
      page.registry.registerTool({ name: "greet", handler });
      await watch();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(attempts).toEqual([1, 2, 3]);
    expect(results()).toEqual([expect.objectContaining({ error: "The page went away 3 times while the tool ran." })]);
  });

  it("a handler that left an answer behind does not run again", async () => {
    const handler = vi.fn((_args, { resumeWith }) => {
      resumeWith("arrived");
      return new Promise(() => {});
    });
    page.registry.registerTool({ name: "greet", handler });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    page.client.close();
    page = await openPage(server);
    page.registry.registerTool({ name: "greet", handler });
    await watch();
    await vi.advanceTimersByTimeAsync(100);
    expect(handler).toHaveBeenCalledOnce();
    expect(results()).toEqual([expect.objectContaining({ result: "arrived" })]);
  });
});

describe("a tool that renders and waits", () => {
  it("is answered by the person, and claimed only then", async () => {
    page.registry.registerTool({ name: "greet", renderAndWaitForResponse: () => null });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.of("claim_tool_call")).toHaveLength(0);
    await page.client.runner.respond(open(), { yes: true });
    expect(results()).toEqual([expect.objectContaining({ result: { yes: true } })]);
  });

  it("with bad arguments is answered without asking anybody", async () => {
    page.registry.registerTool({ name: "greet", renderAndWaitForResponse: () => null, parameters: [{ name: "amount", type: "number" }] });
    await watch();
    server.change("t1", { tool_calls: [open()] });
    await vi.advanceTimersByTimeAsync(100);
    expect(results()).toEqual([expect.objectContaining({ error: expect.stringContaining('"amount" is missing') })]);
  });
});

describe("the server is told of the page's tools", () => {
  it("after every hello, before waiting messages, and once for many", async () => {
    await settled();
    page.registry.registerTool({ name: "a" });
    page.registry.registerTool({ name: "b" });
    await vi.advanceTimersByTimeAsync(1);
    const told = (): unknown[] => server.of("register_tools").map((c) => (c["tools"] as { name: string }[]).map((x) => x.name));
    expect(told()).toEqual([[], ["a", "b"]]);
    server.drop();
    const sent = page.client.connection.command("send_message", {});
    await vi.advanceTimersByTimeAsync(1_000);
    await sent;
    const order = server.received.map((command) => command.type);
    expect(order.lastIndexOf("register_tools")).toBeLessThan(order.indexOf("send_message"));
  });
});

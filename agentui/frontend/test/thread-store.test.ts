import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ThreadStore } from "../src/client/index.js";
import type { StreamEvent } from "../src/core/index.js";
import { FakeRefusal, type Rows } from "../dev/fake-server.js";
import { approvalRow, callRow, messageRow, runRow, userRow } from "../dev/rows.js";
import { addThread, follow, openPage, settled, texts, type Page } from "./page.js";

const RUNNING = { type: "running", reason: "" } as const;
const part: StreamEvent = { type: "part_start", part: { type: "text", text: "" } };
const delta = (text: string): StreamEvent => ({ type: "text_delta", path: [0], text_delta: text });

/** A question, and an answer that is being written. */
function running(seq = 0, text?: string): Rows {
  return {
    thread: { head: "a1", active_run: "r1" },
    messages: [
      userRow("u1", "Hi", { seq: 1 }),
      messageRow("a1", {
        parent: "u1",
        seq: 2,
        run: "r1",
        status: RUNNING,
        parts: text === undefined ? [] : [{ type: "text", text }],
        cursor: { run: "r1", seq },
      }),
    ],
    runs: [runRow("r1")],
  };
}

let page: Page;
let store: ThreadStore;

beforeEach(async () => {
  sessionStorage.clear();
  page = await openPage();
});
afterEach(() => {
  page.client.close();
  vi.useRealTimers();
});

describe("a thread that is followed", () => {
  it("is the snapshot, then the events behind it", async () => {
    addThread(page.server, running(2, "Hel")).seqs.set("r1", 2);
    store = await follow(page);
    expect(texts(store)).toEqual(["Hi", "Hel"]);
    page.server.emit("t1", "r1", "a1", [delta("lo"), delta("!")]);
    await settled();
    expect(texts(store)).toEqual(["Hi", "Hello!"]);
    expect(store.activeRunId).toBe("r1");
  });

  it("takes events that come twice once", async () => {
    addThread(page.server, running());
    store = await follow(page);
    const frame = (from: number, events: StreamEvent[]): object => ({
      type: "events", thread_id: "t1", run: "r1", message: "a1", from, to: from + events.length - 1, events,
    }); // prettier-ignore
    const [socket] = page.server.sockets;
    socket?.push(frame(1, [part, delta("a"), delta("b")]));
    socket?.push(frame(2, [delta("a"), delta("b"), delta("c")]));
    socket?.push(frame(1, [part, delta("a")]));
    await settled();
    expect(texts(store)[1]).toBe("abc");
  });

  it("asks again from its cursor when events are missing", async () => {
    vi.useFakeTimers();
    addThread(page.server, running());
    store = await follow(page);
    page.server.emit("t1", "r1", "a1", [part, delta("a")]);
    await settled();
    const lost = page.server.sockets;
    for (const socket of lost) vi.spyOn(socket, "push").mockImplementationOnce(() => {});
    page.server.emit("t1", "r1", "a1", [delta("b")]);
    await vi.advanceTimersByTimeAsync(1_000);
    page.server.emit("t1", "r1", "a1", [delta("c")]);
    await settled();
    expect(texts(store)[1]).toBe("abc");
    expect(page.server.of("subscribe").at(-1)?.["after"]).toEqual({ version: 1, run: "r1", seq: 2 });
  });

  it.each([
    ["the network was away", 1006],
    ["it read too slowly", 4408],
    ["the server failed", 1011],
  ])("goes on after %s, with nothing lost and nothing twice", async (_, code) => {
    vi.useFakeTimers();
    addThread(page.server, running());
    store = await follow(page);
    page.server.emit("t1", "r1", "a1", [part, delta("one ")]);
    await settled();
    page.server.drop(code);
    page.server.emit("t1", "r1", "a1", [delta("two ")]);
    page.server.change("t1", { thread: { title: "Renamed" } });
    await vi.advanceTimersByTimeAsync(1_000);
    page.server.emit("t1", "r1", "a1", [delta("three")]);
    await settled();
    expect(texts(store)[1]).toBe("one two three");
    expect(store.thread?.title).toBe("Renamed");
    expect(page.server.of("subscribe").at(-1)?.["after"]).toEqual({ version: 1, run: "r1", seq: 2 });
  });

  it("keeps further text than a changed row holds", async () => {
    addThread(page.server, running());
    store = await follow(page);
    page.server.emit("t1", "r1", "a1", [part, delta("Hello")]);
    await settled();
    const { parts: _, cursor: __, ...rest } = running().messages?.[1] as never as Record<string, unknown>;
    page.server.change("t1", { messages: [{ ...rest, metadata: { custom: { a: 1 } } } as never] });
    page.server.change("t1", { messages: [{ ...(running().messages?.[1] as object), cursor: { run: "r1", seq: 1 } } as never] });
    page.server.emit("t1", "r1", "a1", [delta("!")]);
    await settled();
    expect(texts(store)[1]).toBe("Hello!");
  });

  it("goes on in the same message when a run that waited resumes", async () => {
    addThread(page.server, running());
    store = await follow(page);
    page.server.emit("t1", "r1", "a1", [part, delta("Wait.")]);
    const row = messageRow("a1", { parent: "u1", run: "r1", parts: [{ type: "text", text: "Wait." }], cursor: { run: "r1", seq: 2 } });
    const waits = { ...row, status: { type: "requires_action", reason: "tool_calls" } as const };
    page.server.change("t1", { thread: { active_run: null }, messages: [waits] });
    page.server.change("t1", { thread: { active_run: "r1" }, messages: [{ ...row, status: RUNNING }] });
    page.server.emit("t1", "r1", "a1", [part, { ...delta("Go."), path: [1] } as StreamEvent]);
    await settled();
    expect(texts(store)).toEqual(["Hi", "Wait.Go."]);
  });

  it("shows only its own thread, also while another one streams", async () => {
    addThread(page.server, running());
    addThread(page.server, { thread: { head: "b1" }, messages: [userRow("b1", "B", { thread: "t2" })] }, "t2");
    const a = await follow(page);
    const b = await follow(page, "t2");
    page.server.emit("t1", "r1", "a1", [part, delta("for A")]);
    await settled();
    expect(texts(a)[1]).toBe("for A");
    expect(texts(b)).toEqual(["B"]);
  });

  it("asks for the whole when the branch shown was never sent", async () => {
    const thread = addThread(page.server, running());
    store = await follow(page);
    thread.put({ messages: [userRow("u2", "Other"), messageRow("a2", { parent: "u2", parts: [{ type: "text", text: "Branch" }] })] });
    page.server.change("t1", { thread: { head: "a2", active_run: null } });
    await settled();
    expect(texts(store)).toEqual(["Other", "Branch"]);
    expect(page.server.of("subscribe").at(-1)).not.toHaveProperty("after");
  });

  it("leaves views alone whose message did not change", async () => {
    addThread(page.server, running());
    store = await follow(page);
    const [before] = store.messages;
    page.server.emit("t1", "r1", "a1", [part, delta("x")]);
    await settled();
    expect(store.messages[0]).toBe(before);
  });

  it("says so when it is not there", async () => {
    store = await follow(page, "t9");
    expect(store.error).toMatchObject({ code: "not_found" });
  });
});

describe("tool calls and approvals", () => {
  it("come from their rows, arguments that still stream from the events", async () => {
    addThread(page.server, running());
    store = await follow(page);
    page.server.emit("t1", "r1", "a1", [
      { type: "part_start", part: { type: "tool_call", id: "c1", tool_call_id: "x", tool_name: "refund_order" } },
      { type: "text_delta", path: [0], text_delta: '{"amount": ' },
    ]);
    await settled();
    expect(store.toolCalls()[0]).toMatchObject({ status: "streaming", args_text: '{"amount": ', approval: null });
    page.server.change("t1", {
      tool_calls: [callRow("c1", { tool_name: "refund_order", status: "awaiting_approval", args_text: '{"amount": 5}', approval: "p1" })],
      approvals: [approvalRow("p1", { who: "staff", may_decide: true })],
    });
    await settled();
    expect(store.toolCalls()[0]).toMatchObject({
      status: "awaiting_approval",
      args_text: '{"amount": 5}',
      approval: { id: "p1", may_decide: true },
    });
    page.server.change("t1", { approvals: [approvalRow("p1", { status: "approved" })] });
    await settled();
    expect(store.toolCalls()[0]?.approval?.status).toBe("approved");
  });

  it("a decision names what was seen by its digest", async () => {
    addThread(page.server, running());
    store = await follow(page);
    await store.decide(approvalRow("p1", { args_digest: "d7" }), { verdict: "deny", reason: "no" });
    expect(page.server.of("decide_approval")[0]).toMatchObject({ approval: "p1", digest: "d7", verdict: "deny", reason: "no" });
  });
});

describe("a message that is sent", () => {
  const question = (command = ""): Rows => ({
    thread: { head: "u2" },
    messages: [userRow("u2", "New", { seq: 3, metadata: { command } })],
  });

  it("stands there at once, and once, whichever comes first, the row or the answer", async () => {
    addThread(page.server, {});
    store = await follow(page);
    page.server.on("send_message", ({ id }) => {
      page.server.change("t1", question(id));
      return { thread: "t1", message: "u2", run: "r2" };
    });
    const sent = store.sendText("New");
    expect(store.pending).toHaveLength(1);
    const seen = new Set<number>();
    store.changed.subscribe(() => seen.add(store.pending.length + store.messages.length));
    await sent;
    await settled();
    expect(store.pending).toHaveLength(0);
    expect(texts(store)).toEqual(["New"]);
    expect([...seen]).toEqual([1]);
  });

  it("the answer may be first", async () => {
    addThread(page.server, {});
    store = await follow(page);
    page.server.on("send_message", () => ({ thread: "t1", message: "u2", run: "r2" }));
    await store.sendText("New");
    expect(store.pending).toHaveLength(1);
    page.server.change("t1", question());
    await settled();
    expect(store.pending).toHaveLength(0);
  });

  it("makes the thread when there is none, and follows it", async () => {
    page.server.on("send_message", () => {
      addThread(page.server, question());
      return { thread: "t1", message: "u2", run: "r2" };
    });
    store = await follow(page, null);
    const created = vi.fn();
    store.created.subscribe(created);
    await store.sendText("New");
    await settled();
    expect(page.server.of("send_message")[0]).toMatchObject({ agent: "support" });
    expect(created).toHaveBeenCalledExactlyOnceWith("t1");
    expect(texts(store)).toEqual(["New"]);
    expect(store.pending).toHaveLength(0);
  });

  it("stands for the row that its own command made, also among equals", async () => {
    addThread(page.server, {});
    store = await follow(page);
    page.server.on("send_message", ({ id }) => ({ thread: "t1", message: `for ${id}`, run: null }));
    await Promise.all([store.sendText("Same"), store.sendText("Same")]);
    const [first, second] = store.pending.map(({ id }) => id) as [string, string];
    page.server.change("t1", {
      thread: { head: "u2" },
      messages: [userRow("u2", "Same", { metadata: { command: second } })],
    });
    await settled();
    expect(store.pending.map(({ id }) => id)).toEqual([first]);
  });

  it("and others before the socket is open make one thread, in their order", async () => {
    page.server.drop();
    page.server.greets = false;
    store = page.client.openThread(null, "support");
    page.server.on("send_message", () => {
      if (!page.server.threads.has("t1")) addThread(page.server, {});
      return { thread: "t1", message: crypto.randomUUID(), run: null };
    });
    const sent = ["one", "two", "three"].map((text) => store.sendText(text));
    expect(store.pending.map(({ parts }) => parts[0])).toMatchObject([{ text: "one" }, { text: "two" }, { text: "three" }]);
    page.server.greets = true;
    page.client.connection.retryNow();
    await Promise.all(sent);
    const commands = page.server.of("send_message");
    expect(commands.map(({ parts }) => (parts as [{ text: string }])[0].text)).toEqual(["one", "two", "three"]);
    expect(commands.map(({ agent, thread }) => [agent, thread])).toEqual([
      ["support", undefined],
      [undefined, "t1"],
      [undefined, "t1"],
    ]);
    expect(sessionStorage.getItem("agentui:unsent")).toBe("[]");
  });

  it("makes the thread where the one before it was refused", async () => {
    store = await follow(page, null);
    let refusals = 1;
    page.server.on("send_message", () => {
      if (refusals-- > 0) throw new FakeRefusal("too_large");
      addThread(page.server, {});
      return { thread: "t1", message: "u2", run: null };
    });
    const [first, second] = [store.sendText("one"), store.sendText("two")];
    await expect(first).rejects.toMatchObject({ code: "too_large" });
    await second;
    expect(store.id).toBe("t1");
    expect(store.pending.map(({ error }) => error?.code ?? null)).toEqual(["too_large", null]);
  });

  it("and refused stays with the reason until it is sent again", async () => {
    addThread(page.server, {});
    store = await follow(page);
    let refuses = true;
    page.server.on("send_message", () => {
      if (refuses) throw new FakeRefusal("throttled", "Please wait.");
      page.server.change("t1", question());
      return { thread: "t1", message: "u2", run: null };
    });
    await expect(store.sendText("New")).rejects.toThrow("Please wait.");
    expect(store.pending[0]?.error).toMatchObject({ code: "throttled" });
    refuses = false;
    await store.resend(store.pending[0]?.id as string);
    await settled();
    expect(store.pending).toHaveLength(0);
    const [first, second] = page.server.of("send_message");
    expect(first?.id).not.toBe(second?.id);
  });

  it("and the page reloaded before the answer is sent again by the next page, under its id", async () => {
    addThread(page.server, {});
    store = await follow(page);
    page.server.greets = false;
    page.server.drop();
    store.sendText("New").catch(() => {});
    page.client.close();
    page.server.greets = true;
    page = await openPage(page.server);
    page.server.on("send_message", () => {
      page.server.change("t1", question());
      return { thread: "t1", message: "u2", run: "r2" };
    });
    store = await follow(page);
    await settled();
    expect(texts(store)).toEqual(["New"]);
    expect(store.pending).toHaveLength(0);
    expect(new Set(page.server.of("send_message").map((command) => command.id)).size).toBe(1);
    const again = await follow(page);
    expect(again.pending).toHaveLength(0);
  });

  it("while a run is active waits in the queue, and leaves when it is taken back", async () => {
    addThread(page.server, running());
    store = await follow(page);
    const queued = userRow("u2", "Later", { seq: 3, status: { type: "queued", reason: "" } });
    page.server.change("t1", { messages: [queued] });
    await settled();
    expect(texts(store)).toEqual(["Hi", ""]);
    expect(store.queued.map((message) => message.id)).toEqual(["u2"]);
    const [socket] = page.server.sockets;
    socket?.push({ type: "changes", thread_id: "t1", from: 2, version: 3, queued: [] });
    await settled();
    expect(store.queued).toEqual([]);
  });
});

describe("older messages", () => {
  it("are put before those shown", async () => {
    const thread = addThread(page.server, { thread: { head: "u5" }, messages: [userRow("u5", "new", { seq: 5, parent: "u4" })] });
    store = await follow(page);
    thread.row.version = 1;
    store.rows.hasMore = true;
    page.client.api.messagesBefore = async (_thread, seq) => {
      expect(seq).toBe(5);
      return { messages: [userRow("u4", "old", { seq: 4 })], has_more: false };
    };
    await store.loadOlder();
    expect(texts(store)).toEqual(["old", "new"]);
    expect(store.hasMore).toBe(false);
  });
});

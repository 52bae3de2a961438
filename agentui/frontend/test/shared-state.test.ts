import { describe, expect, it } from "vitest";
import { SharedState } from "../src/client/index.js";
import { applyOperations, type Json } from "../src/core/index.js";
import { FakeRefusal } from "../dev/fake-server.js";
import { addThread, follow, openPage, settled } from "./page.js";

async function open(state: Json, id: string | null = "t1") {
  const page = await openPage();
  const thread = addThread(page.server, { thread: { state } });
  page.server.on("set_state", (command) => {
    const next = applyOperations(thread.row.state, command["operations"] as Json[], { strict: true });
    page.server.change("t1", { thread: { state: next } });
    return { state: next, version: thread.row.version };
  });
  const store = await follow(page, id);
  return { page, store, shared: new SharedState(store) };
}

it("what the page writes shows at once, and is the server's", async () => {
  const { shared, page } = await open({ a: 1 });
  const heard: Json[] = [];
  shared.subscribe((state) => heard.push(state));
  const written = shared.set(["b"], [1]);
  expect(shared.value).toEqual({ a: 1, b: [1] });
  await written;
  await settled();
  expect(page.server.threads.get("t1")?.row.state).toEqual({ a: 1, b: [1] });
  expect(heard).toEqual([{ a: 1 }, { a: 1, b: [1] }]);
});

it("what the agent writes is heard, and does not undo what is on its way", async () => {
  const { shared, page } = await open({ text: "a" });
  const written = shared.append(["text"], "b");
  page.server.change("t1", { thread: { state: { text: "a", agent: true } } });
  await settled();
  await written;
  expect(shared.value).toEqual({ text: "ab", agent: true });
});

it("what is refused is taken back", async () => {
  const { shared, page } = await open({});
  page.server.on("set_state", () => {
    throw new FakeRefusal("too_large");
  });
  await expect(shared.set(["x"], 1)).rejects.toMatchObject({ code: "too_large" });
  expect(shared.value).toEqual({});
});

describe("in a thread that does not exist yet", () => {
  async function openNew() {
    const opened = await open(null, null);
    opened.page.server.on("send_message", (command) => {
      const state = command["state"] as Json[] | undefined;
      if (state) opened.page.server.change("t1", { thread: { state: applyOperations(null, state) } });
      return { thread: "t1", message: "u1", run: "r1" };
    });
    return opened;
  }

  it("what is written goes along with the first message, for the first tool to see", async () => {
    const { shared, store, page } = await openNew();
    await shared.set(["x"], 1);
    await shared.set(["y"], 2);
    expect(shared.value).toEqual({ x: 1, y: 2 });
    await store.sendText("Hello");
    await settled();
    expect(page.server.of("send_message")[0]?.["state"]).toHaveLength(2);
    expect(page.server.of("set_state")).toEqual([]);
    expect(page.server.threads.get("t1")?.row.state).toEqual({ x: 1, y: 2 });
    expect(shared.value).toEqual({ x: 1, y: 2 });
  });

  it("what is written while that message is on its way follows it", async () => {
    const { shared, store, page } = await openNew();
    await shared.set(["x"], 1);
    const sent = Promise.all([store.sendText("Hello"), store.sendText("And")]);
    await shared.set(["y"], 2);
    expect(shared.value).toEqual({ x: 1, y: 2 });
    await sent;
    await settled();
    expect(page.server.of("send_message").map((command) => "state" in command)).toEqual([true, false]);
    expect(page.server.of("set_state")).toHaveLength(1);
    expect(page.server.threads.get("t1")?.row.state).toEqual({ x: 1, y: 2 });
  });

  it("when that message is refused the next one takes it along", async () => {
    const { shared, store, page } = await openNew();
    await shared.set(["x"], 1);
    page.server.on("send_message", () => {
      throw new FakeRefusal("empty_message");
    });
    await store.sendText(" ").catch(() => {});
    page.server.on("send_message", () => ({ thread: "t1", message: "u1", run: "r1" }));
    await store.sendText("Hello");
    expect(page.server.of("send_message")[1]?.["state"]).toHaveLength(1);
  });
});

import { expect, it, vi } from "vitest";
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

it("in a new thread it is sent when the thread is there", async () => {
  const { shared, store, page } = await open(null, null);
  page.server.on("send_message", () => ({ thread: "t1", message: "u1", run: "r1" }));
  await shared.set(["x"], 1);
  expect(page.server.of("set_state")).toEqual([]);
  expect(shared.value).toEqual({ x: 1 });
  await store.sendText("Hello");
  await vi.waitFor(() => expect(page.server.threads.get("t1")?.row.state).toEqual({ x: 1 }));
});

import { afterEach, beforeEach, expect, it } from "vitest";
import { threadRow } from "../dev/rows.js";
import { addThread, openPage, settled, type Page } from "./page.js";

let page: Page;

beforeEach(async () => {
  localStorage.clear();
  page = await openPage();
});
afterEach(() => page.client.close());

const titles = (): (string | null)[] => page.client.threads.list().map((thread) => thread.title);

it("lists by latest activity, and a change moves a thread up", async () => {
  addThread(page.server, { thread: { title: "A", last_activity_at: "2026-01-01" } }, "a");
  addThread(page.server, { thread: { title: "B", last_activity_at: "2026-01-02" } }, "b");
  page.server.pushThreads();
  await settled();
  expect(titles()).toEqual(["B", "A"]);
  page.server.change("a", { thread: { last_activity_at: "2026-01-03" } });
  await settled();
  expect(titles()).toEqual(["A", "B"]);
});

it("an older copy does not replace a newer one", async () => {
  const [socket] = page.server.sockets;
  socket?.push({ type: "thread", thread: threadRow("a", { title: "new", version: 5 }) });
  socket?.push({ type: "thread", thread: threadRow("a", { title: "old", version: 4 }) });
  await settled();
  expect(titles()).toEqual(["new"]);
});

it("archived threads are listed apart, and deleted ones go", async () => {
  const [socket] = page.server.sockets;
  socket?.push({ type: "thread", thread: threadRow("a", { title: "A" }) });
  socket?.push({ type: "thread", thread: threadRow("b", { title: "B", status: "archived" }) });
  await settled();
  expect(titles()).toEqual(["A"]);
  expect(page.client.threads.list("archived").map((thread) => thread.title)).toEqual(["B"]);
  socket?.push({ type: "thread_deleted", thread_id: "a" });
  await settled();
  expect(titles()).toEqual([]);
});

it("a thread that changed while it was not open is unread until it is opened", async () => {
  addThread(page.server, {}, "a");
  page.server.pushThreads();
  await settled();
  const { threads } = page.client;
  expect(threads.isUnread(threads.list()[0] as never)).toBe(false);
  page.server.change("a", {});
  await settled();
  expect(threads.isUnread(threads.list()[0] as never)).toBe(true);
  threads.opened("a");
  expect(threads.isUnread(threads.list()[0] as never)).toBe(false);
});

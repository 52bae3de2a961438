/** A client of a fake server, connected, for the tests. */
import { Client, type ThreadStore } from "../src/client/index.js";
import { ToolRegistry } from "../src/registry/index.js";
import { FakeServer, FakeThread, type Rows } from "../dev/fake-server.js";
import { threadRow } from "../dev/rows.js";

export interface Page {
  server: FakeServer;
  client: Client;
  registry: ToolRegistry;
}

/** Waits for what is under way; works with fake timers too. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 25; i++) await Promise.resolve();
}

export async function openPage(server = new FakeServer()): Promise<Page> {
  const registry = new ToolRegistry();
  const client = new Client({ registry, WebSocket: server.WebSocket });
  client.api.threads = async () => ({ threads: [], next: null });
  client.connect();
  await settled();
  return { server, client, registry };
}

/** A thread of the server with these rows. */
export function addThread(server: FakeServer, rows: Rows, id = "t1"): FakeThread {
  const thread = server.add(new FakeThread(threadRow(id)));
  thread.put(rows);
  return thread;
}

export async function follow(page: Page, id: string | null = "t1"): Promise<ThreadStore> {
  const store = page.client.openThread(id, "support");
  await settled();
  return store;
}

/** The texts shown, one for each message. */
export function texts(store: ThreadStore): string[] {
  return store.messages.map((message) =>
    message.parts.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(""),
  );
}

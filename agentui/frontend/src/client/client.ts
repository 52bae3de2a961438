/** Everything a page needs to talk to agents, without a user interface. */
import type { Json } from "../core/index.js";
import type { ToolRegistry } from "../registry/registry.js";
import { registry as pageRegistry } from "../registry/registry.js";
import { Api } from "./api.js";
import { Connection } from "./connection.js";
import type { ServerFrame } from "./frames.js";
import { ThreadListStore } from "./thread-list-store.js";
import { ThreadStore } from "./thread-store.js";
import { ToolRunner } from "./tool-runner.js";

export interface ClientOptions {
  /** Address of the socket, as in `/ws/agentui/`. */
  ws?: string;
  /** Address of the REST API, as in `/agentui/api/`. */
  api?: string;
  csrf?: string | null;
  /** Default: the registry of the page. */
  registry?: ToolRegistry;
  /** For tests and other sockets. */
  WebSocket?: new (url: string) => WebSocket;
}

export class Client {
  readonly connection: Connection;
  readonly api: Api;
  readonly registry: ToolRegistry;
  readonly threads: ThreadListStore;
  readonly runner: ToolRunner;
  readonly #stops: (() => void)[] = [];
  #registration = "";
  #isAnnouncing = false;

  constructor(options: ClientOptions = {}) {
    this.registry = options.registry ?? pageRegistry;
    this.api = new Api({ url: options.api ?? "/agentui/api/", csrf: options.csrf ?? null });
    this.connection = new Connection({
      url: socketAddress(options.ws ?? "/ws/agentui/"),
      isSignedIn: () => this.api.isSignedIn(),
      ...(options.WebSocket ? { WebSocket: options.WebSocket } : {}),
    });
    this.threads = new ThreadListStore(this);
    this.runner = new ToolRunner(this);
    this.#stops.push(
      this.connection.frames.subscribe((frame) => this.#onFrame(frame)),
      this.registry.changed.subscribe(this.#announceTools),
    );
  }

  connect(): void {
    this.connection.connect();
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.runner.close();
    this.connection.close();
  }

  /** An existing thread, or with null one that begins with its first message. Close it after use. */
  openThread(id: string | null, agent: string): ThreadStore {
    const { connection, api } = this;
    return new ThreadStore({ id, agent, connection, api, page: (name) => this.#page(name) });
  }

  /** Many tools registered in one go are announced once. */
  readonly #announceTools = (): void => {
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    queueMicrotask(() => {
      if (this.#isAnnouncing) this.#registerTools();
    });
  };

  /** A run begins: it knows the tools and the readables that the page has at this moment. */
  #page(agent: string): Record<string, Json> {
    if (this.#isAnnouncing) this.#registerTools();
    const context = this.registry.context.of(agent);
    return context.length === 0 ? {} : { context: context as unknown as Json };
  }

  #registerTools(): void {
    this.#isAnnouncing = false;
    this.#registration = this.connection.post("register_tools", { tools: this.registry.definitions() });
  }

  #onFrame(frame: ServerFrame): void {
    // Before anything that waits in the outbox is sent, so that a message finds its tools.
    if (frame.type === "hello") return this.#registerTools();
    if (!("id" in frame) || frame.id === undefined || frame.id !== this.#registration) return;
    if (frame.type === "error") {
      console.warn(`agentui: the tools of this page were refused: ${frame.message}`);
    } else if (frame.type === "ack") {
      for (const { name, message } of (frame["refused"] ?? []) as { name: string; message: string }[]) {
        console.warn(`agentui: the tool "${name}" of this page was refused: ${message}`);
      }
    }
  }
}

/** A path or an address of either kind, as the `ws:` or `wss:` address it means on this page. */
export function socketAddress(address: string): string {
  const url = new URL(address, document.baseURI);
  if (url.protocol === "http:") url.protocol = "ws:";
  if (url.protocol === "https:") url.protocol = "wss:";
  return url.href;
}

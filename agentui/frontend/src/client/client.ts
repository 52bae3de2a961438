/** Everything a page needs to talk to agents, without a user interface. */
import type { ToolRegistry } from "../registry/registry.js";
import { registry as pageRegistry } from "../registry/registry.js";
import { Api } from "./api.js";
import { Connection } from "./connection.js";
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
      this.connection.frames.subscribe((frame) => {
        if (frame.type === "hello") this.#registerTools();
      }),
      this.registry.changed.subscribe(() => this.#registerTools()),
    );
  }

  connect(): void {
    this.connection.connect();
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.connection.close();
  }

  /** An existing thread, or with null one that begins with its first message. Close it after use. */
  openThread(id: string | null, agent: string): ThreadStore {
    return new ThreadStore({ id, agent, connection: this.connection, api: this.api });
  }

  #registerTools(): void {
    this.connection.post("register_tools", { tools: this.registry.definitions() });
  }
}

/** A path or an address of either kind, as the `ws:` or `wss:` address it means on this page. */
export function socketAddress(address: string): string {
  const url = new URL(address, document.baseURI);
  if (url.protocol === "http:") url.protocol = "ws:";
  if (url.protocol === "https:") url.protocol = "wss:";
  return url.href;
}

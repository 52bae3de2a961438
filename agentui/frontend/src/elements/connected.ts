/**
 * What `<agentui-chat>`, `<agentui-thread>` and `<agentui-thread-list>` have in common: the
 * addresses of the server and a client, which is shared by all elements of the page that name the
 * same addresses. A client given as a property is used as it is.
 */
import { LitElement, type PropertyDeclarations, type PropertyValues } from "lit";
import type { Client } from "../client/client.js";
import type { ToolRegistry } from "../registry/registry.js";
import { registry } from "../registry/registry.js";
import { releaseClient, takeClient } from "./shared-clients.js";

export class ConnectedElement extends LitElement {
  static override properties: PropertyDeclarations = {
    ws: {},
    api: {},
    csrf: {},
    client: { attribute: false },
  };
  declare ws: string;
  declare api: string;
  declare csrf: string | null;
  declare client: Client | null;
  #taken: Client | null = null;

  constructor() {
    super();
    this.ws = "/ws/agentui/";
    this.api = "/agentui/api/";
    this.csrf = null;
    this.client = null;
  }

  /** The tools this element offers to its agent. */
  get registry(): ToolRegistry {
    return this.client?.registry ?? registry;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A move inside the page disconnects and connects again in one go.
    queueMicrotask(() => {
      if (!this.isConnected) this.#release();
    });
  }

  protected override willUpdate(_changed: PropertyValues): void {
    if (this.client === null && this.isConnected) {
      this.#taken = this.client = takeClient({ ws: this.ws, api: this.api, csrf: this.csrf });
    }
  }

  #release(): void {
    if (this.#taken === null) return;
    releaseClient(this.#taken);
    if (this.client === this.#taken) this.client = null;
    this.#taken = null;
  }
}

/**
 * `<agentui-chat>`: the thread list and a thread, side by side; on a narrow place the list is a
 * drawer. Fires `agentui-ready` once it is connected.
 */
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { awaitBundle, bundle } from "../bundles.js";
import { ConnectedElement } from "./connected.js";
import { define } from "./define.js";
import { Follow } from "./follow.js";
import { icons } from "./icons.js";
import { rememberedThread, rememberThread } from "./route.js";
import { base } from "./styles/base.js";
import { chatStyles } from "./styles/chat.js";
import { tokens } from "./styles/tokens.js";
import { t } from "./texts.js";
import { visible } from "../core/index.js";
import type { AgentUIThread } from "./thread.js";
import "./thread-list.js";
import "./thread.js";

/** Pixels; the same as in the style sheet's container query (46rem). */
const NARROW = 736;

/** What the bundle of the approvals puts into a chat. */
export interface Beside {
  button(): TemplateResult | typeof nothing;
  panel(): TemplateResult;
}

export class AgentUIChat extends ConnectedElement {
  static override styles = [tokens, base, chatStyles];
  static override properties: PropertyDeclarations = {
    agent: {},
    thread: { reflect: true },
    user: {},
    heading: {},
    placeholder: {},
    suggestions: { type: Array },
    images: { type: Array },
    theme: { reflect: true },
    list: { reflect: true },
    route: {},
    home: {},
    approvals: { type: Boolean },
    _drawer: { state: true },
  };
  declare agent: string;
  /** The id of the thread on the page; empty for a new one. */
  declare thread: string;
  /** The name shown below the list. */
  declare user: string;
  declare heading: string;
  declare placeholder: string;
  declare suggestions: string[];
  declare images: string[];
  /** "light", "dark", or nothing to follow the reader's system. */
  declare theme: string | null;
  /** "none" leaves the thread list out. */
  declare list: string | null;
  /** Keeps the open thread in the page's address: a path with `{thread}` in it. */
  declare route: string | null;
  /** The address of a new thread, beside `route`. */
  declare home: string | null;
  /** A panel with what others ask and this person may decide, for whom there is such a thing. */
  declare approvals: boolean;
  declare _drawer: boolean;
  #inbox: Beside | null = null;
  readonly #follow = new Follow(this);
  /** A place that has become wide has no drawer. */
  readonly #width = new ResizeObserver(() => {
    if (this.clientWidth > NARROW) this.#closeDrawer();
  });
  #wasReady = false;

  constructor() {
    super();
    this.agent = this.thread = this.user = this.heading = this.placeholder = "";
    this.suggestions = [];
    this.images = [];
    this.theme = this.list = this.route = this.home = null;
    this._drawer = this.approvals = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#onPopState);
    this.#width.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("popstate", this.#onPopState);
    this.#width.disconnect();
  }

  /** Show a thread; an empty id begins a new one. */
  open(id: string): void {
    this.thread = id;
    this.#closeDrawer();
    rememberThread(this, id, { push: true });
    void this.updateComplete.then(() => this.#threadElement?.focus());
  }

  /** The message field takes the focus, as soon as it is there. */
  override focus(): void {
    void this.updateComplete
      .then(() => this.#threadElement?.updateComplete)
      .then(() => this.#threadElement?.focus());
  }

  /** Send a message in the thread that is open. */
  async send(text: string): Promise<void> {
    await this.updateComplete;
    await this.#threadElement?.send(text);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (!this.hasUpdated && this.thread === "") this.thread = rememberedThread(this);
    if (this.approvals && this.#inbox === null) this.#loadInbox();
    if (changed.has("client") && this.client) {
      this.#follow.follow(this.client.connection.changed, this.client.threads.changed);
    }
  }

  protected override render(): TemplateResult {
    const hasList = this.list !== "none";
    return html`<div class="layout" @keydown=${this.#onKeydown}>
      ${hasList ? this.#side() : nothing}
      <section class="main" part="main" aria-label=${t("chatRegion")} ?inert=${this._drawer}>
        <header part="header">
          ${hasList
            ? html`<button class="icon-button menu" aria-label=${t("menu")} aria-expanded=${this._drawer} @click=${this.#openDrawer}>
                ${icons.menu(20)}
              </button>`
            : nothing}
          <h2 dir="auto">${visible(this.#title())}</h2>
          ${this.#inbox?.button() ?? nothing}
          <slot name="header"></slot>
          <button class="icon-button fresh" aria-label=${t("newChat")} title=${t("newChat")} ?disabled=${this.thread === ""} @click=${() => this.open("")}>
            ${icons.newChat(20)}
          </button>
        </header>
        <agentui-thread
          exportparts="scroller, composer, composer-input, attach, send, stop, queue, drop, banner, empty, suggestion, user-message, assistant-message, markdown, files, reasoning, tool-card, tool-render, approval, question, error, event, sources, feedback, details"
          .client=${this.client}
          .thread=${this.thread}
          .agent=${this.agent}
          .heading=${this.heading}
          .placeholder=${this.placeholder}
          .suggestions=${this.suggestions}
          .images=${this.images}
          @agentui-thread-created=${this.#onCreated}
        >
          ${this.#forward("empty")} ${this.#forward("below-composer")}
        </agentui-thread>
      </section>
      ${this.#inbox?.panel() ?? nothing}
    </div>`;
  }

  protected override updated(): void {
    if (this.#wasReady || this.client?.connection.state !== "open") return;
    this.#wasReady = true;
    const detail = { client: this.client, registry: this.registry };
    this.dispatchEvent(new CustomEvent("agentui-ready", { detail, bubbles: true, composed: true }));
  }

  #side(): TemplateResult {
    return html`<div class="backdrop" ?hidden=${!this._drawer} @click=${this.#closeDrawer}></div>
      <aside part="side" class=${this._drawer ? "open" : ""}>
        <agentui-thread-list
          exportparts="new-chat, thread"
          .client=${this.client}
          .selected=${this.thread}
          @thread-select=${(event: CustomEvent<string>) => this.open(event.detail)}
          @thread-removed=${this.#onRemoved}
        ></agentui-thread-list>
        ${this.user ? html`<p class="user" dir="auto"><span aria-hidden="true">${initial(this.user)}</span>${this.user}</p>` : nothing}
      </aside>`;
  }

  #loadInbox(): void {
    const found = bundle<{ besideChat: (chat: AgentUIChat) => Beside }>("approvals");
    if (found) this.#inbox = found.besideChat(this);
    else awaitBundle("approvals", () => this.requestUpdate());
  }

  /** A slot that is passed on hides the default content, so only one that is filled is. */
  #forward(name: string): TemplateResult | typeof nothing {
    return this.querySelector(`:scope > [slot="${name}"]`) ? html`<slot name=${name} slot=${name}></slot>` : nothing;
  }

  #title(): string {
    const store = this.#threadElement?.store;
    const thread = this.thread ? (this.client?.threads.get(this.thread) ?? store?.thread) : null;
    return thread?.title || (this.thread ? t("untitled") : "");
  }

  get #threadElement(): AgentUIThread | null {
    return this.renderRoot?.querySelector<AgentUIThread>("agentui-thread") ?? null;
  }

  readonly #openDrawer = (): void => {
    this._drawer = true;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("agentui-thread-list")?.focus());
  };

  readonly #closeDrawer = (): void => {
    this._drawer = false;
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !this._drawer) return;
    this.#closeDrawer();
    this.renderRoot.querySelector<HTMLElement>(".menu")?.focus();
  };

  readonly #onCreated = (event: CustomEvent<string>): void => {
    this.thread = event.detail;
    rememberThread(this, this.thread, { push: false });
  };

  readonly #onRemoved = (event: CustomEvent<string>): void => {
    if (event.detail === this.thread) this.open("");
  };

  readonly #onPopState = (): void => {
    if (this.route) this.thread = rememberedThread(this);
  };
}

function initial(name: string): string {
  return [...name][0]?.toUpperCase() ?? "";
}

define("agentui-chat", AgentUIChat);

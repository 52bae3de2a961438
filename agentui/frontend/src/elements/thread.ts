/**
 * `<agentui-thread>`: the messages of one thread and the composer. With an empty `thread` it is a
 * new one that begins with its first message; it then fires `agentui-thread-created`.
 */
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { PendingMessage } from "../client/pending.js";
import { ThreadStore } from "../client/thread-store.js";
import { announce } from "./announce.js";
import "./banner.js";
import "./composer.js";
import type { AgentUIComposer } from "./composer.js";
import { ConnectedElement } from "./connected.js";
import { define } from "./define.js";
import { emptyView, pendingView, refusalView, skeletonView } from "./thread-parts.js";
import { Follow } from "./follow.js";
import { icons } from "./icons.js";
import "./message.js";
import { ThreadReport } from "./report.js";
import { StickToEnd } from "./stick.js";
import { base } from "./styles/base.js";
import { threadStyles } from "./styles/thread.js";
import { tokens } from "./styles/tokens.js";
import { t } from "./texts.js";

interface MessageAction {
  action: "edit" | "regenerate" | "switch" | "withdraw";
  message: string;
  value: string;
}

export class AgentUIThread extends ConnectedElement {
  static override styles = [tokens, base, threadStyles];
  static override properties: PropertyDeclarations = {
    thread: {},
    agent: {},
    heading: {},
    placeholder: {},
    suggestions: { type: Array },
    images: { type: Array },
    store: { attribute: false },
    _atEnd: { state: true },
    _error: { state: true },
  };
  declare thread: string;
  declare agent: string;
  declare heading: string;
  declare placeholder: string;
  /** Messages offered while the thread is empty. */
  declare suggestions: string[];
  /** Paths of the site from which images in answers are loaded. */
  declare images: string[];
  declare store: ThreadStore | null;
  declare _atEnd: boolean;
  declare _error: string;
  readonly #report = new ThreadReport(this);
  readonly #follow = new Follow(this, () => this.#onChange());
  readonly #stick = new StickToEnd((atEnd) => (this._atEnd = atEnd));
  #stopWatching: (() => void) | null = null;

  constructor() {
    super();
    this.thread = this.agent = this.heading = this.placeholder = this._error = "";
    this.suggestions = [];
    this.images = [];
    this.store = null;
    this._atEnd = true;
  }

  /** Send a message as the person would. */
  async send(text: string): Promise<void> {
    this.#stick.toEnd();
    await this.store?.sendText(text).catch(() => {}); // the refusal stands on the page
  }

  override focus(): void {
    this.#composer?.focus();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
    this.#stick.detach();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (!this.client || !this.isConnected) return;
    const wanted = this.thread || null;
    const isOther = this.store === null || changed.has("client") || this.store.id !== wanted;
    // A new thread that has just got its id is the same store under its name.
    if (isOther && !(changed.has("thread") && this.store?.id === wanted && this.store)) this.#open(wanted);
  }

  protected override render(): TemplateResult {
    const { store } = this;
    return html`<agentui-banner exportparts="banner" .client=${this.client}></agentui-banner>
      <div class="scroller" part="scroller" @scroll=${this.#onScroll}>
        <div class="column">${store ? this.#content(store) : nothing}</div>
      </div>
      <div class="foot">
        <button class="jump" ?hidden=${this._atEnd} title=${t("jumpToLatest")} aria-label=${t("jumpToLatest")} @click=${() => this.#stick.toEnd({ smooth: true })}>
          ${icons.arrowDown(18)}
        </button>
        ${this._error ? html`<p class="error" role="alert">${this._error}</p>` : nothing}
        <agentui-composer
          exportparts="composer, composer-input, send, stop"
          .draftKey=${store?.id ?? `new:${this.agent}`}
          .placeholder=${this.placeholder}
          ?running=${store?.activeRunId != null}
          ?disabled=${store === null || store.error !== null || this.client?.connection.state === "denied"}
          @composer-send=${(event: CustomEvent<string>) => void this.send(event.detail)}
          @composer-stop=${this.#stop}
        ></agentui-composer>
        <slot name="below-composer"></slot>
      </div>
      <div class="hidden-text" role="status" aria-live="polite" id="live"></div>`;
  }

  protected override updated(): void {
    const box = this.renderRoot.querySelector<HTMLElement>(".scroller");
    const content = this.renderRoot.querySelector<HTMLElement>(".column");
    if (box && content) this.#stick.attach(box, content);
    this.#stick.keep();
  }

  #content(store: ThreadStore): TemplateResult {
    if (store.error) return refusalView(store.error.message);
    if (!store.isLoaded) return skeletonView();
    const messages = store.messages;
    const queued = store.queued;
    const busy = store.activeRunId !== null;
    if (messages.length + queued.length + store.pending.length === 0) {
      return html`<slot name="empty">${emptyView(this.heading, this.suggestions, (text) => void this.send(text))}</slot>`;
    }
    const lastId = messages.at(-1)?.id;
    return html`${store.hasMore
        ? html`<button class="button older" ?disabled=${store.loadingOlder} @click=${this.#loadOlder}>
            ${store.loadingOlder ? t("loading") : t("loadOlder")}
          </button>`
        : nothing}
      <div class="messages" role="list" aria-label=${t("messages")} @message-action=${this.#onAction}>
        ${repeat(
          [...messages, ...queued],
          (message) => message.id,
          (message) => html`<agentui-message
            role="listitem"
            exportparts="user-message, assistant-message, markdown, reasoning, tool-card, tool-render, approval, question, error, event, sources"
            .message=${message}
            .store=${store}
            .client=${this.client}
            .images=${this.images}
            ?last=${message.id === lastId}
            ?busy=${busy}
          ></agentui-message>`,
        )}
        ${store.pending.map((item) => pendingView(item, this.#pendingActions(store, item)))}
      </div>`;
  }

  #pendingActions(store: ThreadStore, item: PendingMessage): { again: () => void; discard: () => void } {
    return {
      again: () => void store.resend(item.id).catch(() => {}),
      discard: () => {
        store.discard(item.id);
        this.#composer?.fill(item.parts.map((part) => (part.type === "text" ? part.text : "")).join(""));
      },
    };
  }

  get #composer(): AgentUIComposer | null {
    return this.renderRoot?.querySelector<AgentUIComposer>("agentui-composer") ?? null;
  }

  #open(id: string | null): void {
    this.#close();
    const client = this.client;
    if (!client) return;
    const store = client.openThread(id, this.agent);
    this.store = store;
    this._error = "";
    this.#report.reset();
    this.#stick.toEnd();
    this.#follow.follow(store.changed, client.connection.changed);
    this.#stopWatching = client.runner.watch(store);
    store.created.subscribe((created) => {
      this.thread = created;
      this.dispatchEvent(
        new CustomEvent("agentui-thread-created", { detail: created, bubbles: true, composed: true }),
      );
    });
  }

  #close(): void {
    this.#stopWatching?.();
    this.#stopWatching = null;
    this.#follow.follow();
    this.store?.close();
    this.store = null;
  }

  #onChange(): void {
    const { store } = this;
    if (store) {
      this.#report.look(store);
      const live = this.renderRoot.querySelector("#live");
      if (live) announce(live, store);
    }
    this.requestUpdate();
  }

  readonly #stop = (): void => {
    const run = this.store?.activeRunId;
    if (run) this.#try(this.store?.cancel(run));
  };

  readonly #loadOlder = (): void => {
    this.#try(
      this.#stick.holding(async () => {
        await this.store?.loadOlder();
        await this.updateComplete;
      }),
    );
  };

  readonly #onScroll = (event: Event): void => {
    if ((event.target as HTMLElement).scrollTop < 40 && this.store?.hasMore) this.#loadOlder();
  };

  readonly #onAction = (event: CustomEvent<MessageAction>): void => {
    const { action, message, value } = event.detail;
    const { store } = this;
    if (!store) return;
    if (action !== "switch") this.#stick.toEnd();
    if (action === "edit") this.#try(store.edit(message, [{ type: "text", text: value }]));
    else if (action === "regenerate") this.#try(store.regenerate(message));
    else if (action === "withdraw") this.#try(store.withdraw(message));
    else this.#try(store.switchBranch(value));
  };

  #try(command: Promise<unknown> | undefined): void {
    this._error = "";
    command?.catch((error: Error) => (this._error = error.message));
  }
}

define("agentui-thread", AgentUIThread);

/**
 * `<agentui-thread>`: the messages of one thread and the composer. With an empty `thread` it is a
 * new one that begins with its first message; it then fires `agentui-thread-created`.
 */
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { UserPart } from "../client/frames.js";
import type { MessageView } from "../client/message-view.js";
import type { PendingMessage } from "../client/pending.js";
import type { ThreadStore } from "../client/thread-store.js";
import type { Json } from "../core/index.js";
import { announce } from "./announce.js";
import "./banner.js";
import "./composer.js";
import type { AgentUIComposer, ComposerMessage } from "./composer.js";
import { ConnectedElement } from "./connected.js";
import { define } from "./define.js";
import { FileDrop } from "./file-drop.js";
import { Follow } from "./follow.js";
import { icons } from "./icons.js";
import "./message.js";
import type { MessageAction } from "./message.js";
import "./queue.js";
import { Reading } from "./reading.js";
import { ThreadReport } from "./report.js";
import { base } from "./styles/base.js";
import { fileStyles } from "./styles/files.js";
import { threadStyles } from "./styles/thread.js";
import { tokens } from "./styles/tokens.js";
import { t } from "./texts.js";
import { dropView, emptyView, pendingView, refusalView, skeletonView, suggestionsView } from "./thread-parts.js";

export class AgentUIThread extends ConnectedElement {
  static override styles = [tokens, base, fileStyles, threadStyles];
  static override properties: PropertyDeclarations = {
    thread: {},
    agent: {},
    heading: {},
    placeholder: {},
    suggestions: { type: Array },
    images: { type: Array },
    store: { attribute: false },
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
  declare _error: string;
  readonly #report = new ThreadReport(this);
  readonly #follow = new Follow(this, () => this.#onChange());
  readonly #reading = new Reading(this, (fetched) => this.#try(fetched));
  readonly #drop = new FileDrop(
    this,
    () => this.#composer?.canAttach ?? false,
    (files) => this.#composer?.addFiles(files),
  );
  #stopWatching: (() => void) | null = null;

  constructor() {
    super();
    this.thread = this.agent = this.heading = this.placeholder = this._error = "";
    this.suggestions = [];
    this.images = [];
    this.store = null;
  }

  /** Send a message as the person would. */
  async send(text: string): Promise<void> {
    await this.#send([{ type: "text", text }]);
  }

  override focus(): void {
    const composer = this.#composer;
    void composer?.updateComplete.then(() => composer.focus());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
    this.#reading.detach();
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
      <div class="scroller" part="scroller" @scroll=${this.#reading.onScroll}>
        <div class="column">${store ? this.#content(store) : nothing}</div>
      </div>
      <div class="foot">
        <button class="jump" ?hidden=${this.#reading.isAtEnd} title=${t("jumpToLatest")} aria-label=${t("jumpToLatest")} @click=${this.#reading.toLatest}>
          ${icons.arrowDown(18)}
        </button>
        ${this._error ? html`<p class="error" role="alert">${this._error}</p>` : nothing}
        ${store && store.queued.length > 0
          ? html`<agentui-queue exportparts="queue" .store=${store} .messages=${store.queued} ?paused=${store.thread?.queue_paused ?? false}></agentui-queue>`
          : nothing}
        <agentui-composer
          exportparts="composer, composer-input, attach, send, stop"
          .client=${this.client}
          .draftKey=${this.#draftKey}
          .placeholder=${this.placeholder}
          ?running=${store?.activeRunId != null}
          ?disabled=${store === null || store.error !== null || this.client?.connection.state === "denied"}
          @composer-send=${(event: CustomEvent<ComposerMessage>) => this.#onSend(event.detail)}
          @composer-stop=${this.#stop}
        ></agentui-composer>
        <slot name="below-composer"></slot>
      </div>
      ${this.#drop.isOver ? dropView() : nothing}
      <div class="hidden-text" role="status" aria-live="polite" id="live"></div>`;
  }

  protected override updated(): void {
    this.toggleAttribute("data-empty", this.#isEmpty);
    this.#reading.follow();
  }

  #content(store: ThreadStore): TemplateResult {
    if (store.error) return refusalView(store.error.message);
    if (!store.isLoaded) return skeletonView();
    const { messages } = store;
    if (this.#isEmpty) {
      return html`<slot name="empty">${emptyView(this.heading, this.suggestions, (text) => void this.send(text))}</slot>`;
    }
    const { from, to } = this.#reading.range(messages);
    const last = messages.at(-1);
    const isNewest = to === messages.length;
    return html`${from === 0 && store.hasMore
        ? html`<button class="button older" ?disabled=${store.loadingOlder} @click=${this.#reading.showOlder}>
            ${store.loadingOlder ? t("loading") : t("loadOlder")}
          </button>`
        : nothing}
      <div class="messages" role="list" aria-label=${t("messages")} @message-action=${this.#onAction}>
        ${repeat(messages.slice(from, to), ({ id }) => id, (message) => this.#message(store, message, message === last))}
        ${isNewest ? store.pending.map((item) => pendingView(item, this.client, this.#pendingActions(store, item))) : nothing}
      </div>
      ${store.activeRunId === null && store.pending.length === 0 ? suggestionsView(last, (text) => void this.send(text)) : nothing}`;
  }

  #message(store: ThreadStore, message: MessageView, isLast: boolean): TemplateResult {
    return html`<agentui-message
      role="listitem"
      exportparts="user-message, assistant-message, markdown, files, reasoning, tool-card, tool-render, approval, question, error, event, sources, feedback, details"
      .message=${message}
      .store=${store}
      .client=${this.client}
      .images=${this.images}
      ?last=${isLast}
      ?busy=${store.activeRunId !== null}
    ></agentui-message>`;
  }

  #pendingActions(store: ThreadStore, item: PendingMessage): { again: () => void; discard: () => void } {
    return {
      again: () => void store.resend(item.id).catch(() => {}),
      discard: () => {
        store.discard(item.id);
        this.#composer?.restore(item.parts);
      },
    };
  }

  /** Nothing was said yet. */
  get #isEmpty(): boolean {
    const { store } = this;
    return store !== null && store.isLoaded && !store.error && store.messages.length + store.pending.length === 0;
  }

  get #composer(): AgentUIComposer | null {
    return this.renderRoot?.querySelector<AgentUIComposer>("agentui-composer") ?? null;
  }

  get #draftKey(): string {
    return this.store?.id ?? `new:${this.agent}`;
  }

  #open(id: string | null): void {
    this.#close();
    const client = this.client;
    if (!client) return;
    const store = client.openThread(id, this.agent);
    this.store = store;
    this._error = "";
    this.#report.reset();
    this.#reading.toEnd();
    this.#follow.follow(store.changed, client.connection.changed);
    this.#stopWatching = client.runner.watch(store);
    store.created.subscribe((created) => {
      this.#composer?.rename(created);
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

  #onSend({ text, files, steer }: ComposerMessage): void {
    const parts: UserPart[] = text === "" ? files : [...files, { type: "text", text }];
    void this.#send(parts, steer ? { on_active: "steer" } : {});
  }

  async #send(parts: UserPart[], extra: Record<string, Json> = {}): Promise<void> {
    this.#reading.toEnd();
    await this.store?.send(parts, extra).catch(() => {}); // the refusal stands on the page
  }

  readonly #stop = (): void => {
    const run = this.store?.activeRunId;
    if (run) this.#try(this.store?.cancel(run));
  };

  readonly #onAction = (event: CustomEvent<MessageAction>): void => {
    const act = event.detail;
    const { store } = this;
    if (!store) return;
    if (act.action === "edit" || act.action === "regenerate") this.#reading.toLatest();
    switch (act.action) {
      case "edit":
        return this.#try(store.edit(act.message, act.parts));
      case "regenerate":
        return this.#try(store.regenerate(act.message));
      case "switch":
        return this.#try(store.switchBranch(act.to));
      case "rate":
        return this.#try(store.rate(act.message, act.rating, act.comment));
    }
  };

  #try(command: Promise<unknown> | undefined): void {
    this._error = "";
    command?.catch((error: Error) => (this._error = error.message));
  }
}

define("agentui-thread", AgentUIThread);

/**
 * `<agentui-queue>`: the messages that wait until the answer is complete: changed, moved, taken back,
 * or sent at once.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { UserPart } from "../client/frames.js";
import type { MessageView } from "../client/message-view.js";
import type { ThreadStore } from "../client/thread-store.js";
import { visible } from "../core/index.js";
import { define } from "./define.js";
import { icons } from "./icons.js";
import { partsWithText, textOf } from "./message-text.js";
import "./message-editor.js";
import { actionStyles } from "./styles/actions.js";
import { base } from "./styles/base.js";
import { queueStyles } from "./styles/queue.js";
import { t } from "./texts.js";

export class AgentUIQueue extends LitElement {
  static override styles = [base, actionStyles, queueStyles];
  static override properties = {
    store: { attribute: false },
    messages: { attribute: false },
    paused: { type: Boolean },
    _editing: { state: true },
    _error: { state: true },
  };
  declare store: ThreadStore;
  declare messages: readonly MessageView[];
  declare paused: boolean;
  declare _editing: string | null;
  declare _error: string;

  constructor() {
    super();
    this.messages = [];
    this.paused = false;
    this._editing = null;
    this._error = "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { messages, store } = this;
    if (messages.length === 0) return nothing;
    return html`<section part="queue" aria-label=${t("queue")}>
      <header>
        <h3>${icons.clock(14)}${t("queue")}</h3>
        ${this.paused
          ? html`<span>${t("queuePaused")}</span>
              <button class="button" @click=${() => this.#try(store.resumeQueue())}>${t("queueResume")}</button>`
          : nothing}
        ${messages.length > 1 || this.paused
          ? html`<button class="link" @click=${() => this.#try(store.clearQueue())}>${t("queueClear")}</button>`
          : nothing}
      </header>
      <ol>
        ${repeat(messages, ({ id }) => id, (message, at) => html`<li>${this.#item(message, at)}</li>`)}
      </ol>
      ${this._error ? html`<p class="error" role="alert">${this._error}</p>` : nothing}
    </section>`;
  }

  #item(message: MessageView, at: number): TemplateResult {
    const { messages, store } = this;
    const text = textOf(message);
    if (this._editing === message.id) {
      return html`<agentui-message-editor
        .text=${text}
        .label=${t("save")}
        @editor-save=${(event: CustomEvent<string>) => this.#save(message, event.detail)}
        @editor-cancel=${() => (this._editing = null)}
      ></agentui-message-editor>`;
    }
    const files = message.parts.filter((part) => part.type === "file").length;
    return html`<div class="item">
      <span class="words" dir="auto">${visible(text)}${files > 0 ? html` <span class="count">${icons.clip(13)}${files}</span>` : nothing}</span>
      ${this.#button("sendNow", icons.forward(15), () => store.steer(message.id))}
      ${this.#button("edit", icons.edit(15), () => this.#edit(message.id))}
      ${this.#button("moveUp", icons.up(15), () => store.moveQueued(message.id, messages[at - 1]?.id ?? null), at === 0)}
      ${this.#button("moveDown", icons.down(15), () => store.moveQueued(message.id, messages[at + 2]?.id ?? null), at === messages.length - 1)}
      ${this.#button("discard", icons.close(15), () => store.withdraw(message.id))}
    </div>`;
  }

  #button(label: Parameters<typeof t>[0], icon: TemplateResult, act: () => unknown, disabled = false): TemplateResult {
    return html`<button class="icon-button" aria-label=${t(label)} title=${t(label)} ?disabled=${disabled} @click=${() => this.#try(act())}>
      ${icon}
    </button>`;
  }

  #edit(id: string): void {
    this._editing = id;
  }

  #save(message: MessageView, text: string): void {
    this._editing = null;
    this.#try(this.store.edit(message.id, partsWithText(message, text) as UserPart[]));
  }

  #try(work: unknown): void {
    this._error = "";
    if (work instanceof Promise) work.catch((error: Error) => (this._error = error.message));
  }
}

define("agentui-queue", AgentUIQueue);

/**
 * `<agentui-message>`: one message with its parts and what can be done with it. Fires
 * `message-action` with `{action, message, ...}`; the thread carries it out.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Client } from "../client/client.js";
import type { UserPart } from "../client/frames.js";
import type { MessageView, PartView } from "../client/message-view.js";
import type { Rating } from "../client/rows.js";
import type { ThreadStore } from "../client/thread-store.js";
import { ANSWERED } from "../core/index.js";
import { define } from "./define.js";
import { eventLine } from "./event-line.js";
import { filesView } from "./file-view.js";
import { icons } from "./icons.js";
import "./markdown.js";
import "./message-actions.js";
import { factsOf } from "./message-details.js";
import "./message-editor.js";
import { outcomeView, sourcesView } from "./message-parts.js";
import { partsWithText, textOf } from "./message-text.js";
import { base } from "./styles/base.js";
import { fileStyles } from "./styles/files.js";
import { messageStyles } from "./styles/message.js";
import { t } from "./texts.js";
import "./tool-card.js";

type Act =
  | { action: "edit"; parts: UserPart[] }
  | { action: "regenerate" }
  | { action: "switch"; to: string }
  | { action: "rate"; rating: Rating | null; comment: string };

export type MessageAction = Act & { message: string };

export class AgentUIMessage extends LitElement {
  static override styles = [base, fileStyles, messageStyles];
  static override properties = {
    message: { attribute: false },
    store: { attribute: false },
    client: { attribute: false },
    images: { attribute: false },
    last: { type: Boolean, reflect: true },
    busy: { type: Boolean },
    _editing: { state: true },
  };
  declare message: MessageView;
  declare store: ThreadStore | null;
  declare client: Client | null;
  declare images: readonly string[];
  declare last: boolean;
  /** The thread has an active run: nothing may be tried again now. */
  declare busy: boolean;
  declare _editing: boolean;

  constructor() {
    super();
    this.store = this.client = null;
    this.images = [];
    this.last = this.busy = this._editing = false;
  }

  protected override willUpdate(): void {
    this.dataset["role"] = this.message.role;
  }

  protected override render(): TemplateResult | typeof nothing {
    switch (this.message.role) {
      case "user":
        return this.#user();
      case "assistant":
        return this.#assistant();
      case "event":
        return eventLine(this.message);
      default:
        return nothing;
    }
  }

  #user(): TemplateResult {
    if (this._editing) {
      return html`<agentui-message-editor
        .text=${textOf(this.message)}
        @editor-save=${(event: CustomEvent<string>) => this.#saveEdit(event.detail)}
        @editor-cancel=${() => (this._editing = false)}
      ></agentui-message-editor>`;
    }
    return html`<div class="user">
      <span class="hidden-text">${t("you")}:</span>
      ${filesView(this.message.parts, this.client)}
      ${textOf(this.message) ? html`<div class="bubble" part="user-message" dir="auto">${textOf(this.message)}</div>` : nothing}
      ${this.#actions(!this.busy, false)}
    </div>`;
  }

  #assistant(): TemplateResult {
    const { message } = this;
    const running = message.status.type === "running" || message.status.type === "queued";
    const parts = message.parts;
    return html`<div class="assistant" part="assistant-message" aria-busy=${running}>
      <span class="hidden-text">${t("assistant")}:</span>
      ${repeat(parts, keyOf, (part, index) => this.#part(part, running && index === parts.length - 1))}
      ${sourcesView(parts)} ${filesView(parts, this.client)}
      ${running && !isShowing(parts) ? html`<div class="dots" role="img" aria-label=${t("answering")}><i></i><i></i><i></i></div>` : nothing}
      ${outcomeView(message, this.last && !this.busy ? () => this.#act({ action: "regenerate" }) : null)}
      ${running || message.status.type === "requires_action" ? nothing : this.#actions(false, !this.busy)}
    </div>`;
  }

  #part(part: PartView, growing: boolean): TemplateResult | typeof nothing {
    switch (part.type) {
      case "text":
        return html`<agentui-markdown exportparts="markdown" .text=${part.text ?? ""} .growing=${growing} .images=${this.images}></agentui-markdown>`;
      case "reasoning":
        return html`<details class="thought" part="reasoning">
          <summary>${growing ? t("thinking") : part.summary || t("thought")}${icons.chevron(13)}</summary>
          <div dir="auto">${part.text}</div>
        </details>`;
      case "tool_call":
        return html`<agentui-tool-card
          exportparts="tool-card, tool-render, approval, question"
          .call=${part}
          .store=${this.store}
          .client=${this.client}
        ></agentui-tool-card>`;
      default:
        return nothing;
    }
  }

  #actions(editable: boolean, repeatable: boolean): TemplateResult {
    return html`<agentui-message-actions
      .message=${this.message}
      .text=${textOf(this.message)}
      ?editable=${editable}
      ?repeatable=${repeatable}
      ?rateable=${this.message.role === "assistant" && this.message.status.type === "complete"}
      .facts=${this.message.role === "assistant" ? this.#facts : []}
      ?busy=${this.busy}
      @action-edit=${() => (this._editing = true)}
      @action-regenerate=${() => this.#act({ action: "regenerate" })}
      @action-switch=${(event: CustomEvent<string>) => this.#act({ action: "switch", to: event.detail })}
      @action-rate=${(event: CustomEvent<Rating | null>) => this.#act({ action: "rate", rating: event.detail, comment: "" })}
      @action-comment=${(event: CustomEvent<string>) => this.#act({ action: "rate", rating: "negative", comment: event.detail })}
    ></agentui-message-actions>`;
  }

  #saveEdit(text: string): void {
    this._editing = false;
    this.#act({ action: "edit", parts: partsWithText(this.message, text) });
  }

  get #facts(): readonly string[] {
    const { run } = this.message;
    return factsOf(this.message, (run && this.store?.rows.runs.get(run)) || null);
  }

  #act(act: Act): void {
    const detail: MessageAction = { ...act, message: this.message.id };
    this.dispatchEvent(new CustomEvent("message-action", { detail, bubbles: true, composed: true }));
  }
}

function keyOf(part: PartView, index: number): string {
  return part.type === "tool_call" ? part.id : `${index}:${part.type}`;
}

/** Something on the page already shows that work goes on. */
function isShowing(parts: readonly PartView[]): boolean {
  const last = parts.at(-1);
  if (last === undefined) return false;
  if (last.type === "tool_call") return !ANSWERED.has(last.status);
  return last.type === "text" && last.text !== "";
}

define("agentui-message", AgentUIMessage);

/** The inbox in a chat: a button with the number in its header, and the panel at its end. */
import type { ReactiveControllerHost, TemplateResult } from "lit";
import type { Beside } from "../elements/chat.js";
import { html, icons, nothing } from "../kit.js";
import { besideStyles } from "./styles.js";
import { say } from "./texts.js";

type Chat = HTMLElement & ReactiveControllerHost & { api: string; csrf: string | null; renderRoot: DocumentFragment | HTMLElement };

export class BesideChat implements Beside {
  readonly #chat: Chat;
  #isOpen = false;
  /** How much waits; null for whom nothing ever does, who is shown nothing. */
  #waiting: number | null = null;

  constructor(chat: Chat) {
    this.#chat = chat;
    const root = chat.renderRoot as ShadowRoot;
    if (besideStyles.styleSheet) root.adoptedStyleSheets.push(besideStyles.styleSheet);
  }

  button(): TemplateResult | typeof nothing {
    if (this.#waiting === null) return nothing;
    const n = this.#waiting > 99 ? "99+" : this.#waiting;
    const label = say("inboxCount", { n });
    return html`<button class="icon-button inbox-button" aria-label=${label} title=${label} aria-expanded=${this.#isOpen} aria-controls="inbox" @click=${this.#toggle}>
      ${icons.shield(20)}${this.#waiting > 0 ? html`<span aria-hidden="true">${n}</span>` : nothing}
    </button>`;
  }

  panel(): TemplateResult {
    const { api, csrf } = this.#chat;
    return html`<div class="inbox-backdrop" ?hidden=${!this.#isOpen} @click=${this.#toggle}></div>
      <agentui-approvals
        id="inbox"
        closable
        exportparts="inbox, inbox-header, approval"
        .api=${api}
        .csrf=${csrf}
        .hidden=${!this.#isOpen}
        @keydown=${this.#onKeydown}
        @agentui-approvals-change=${this.#onChange}
        @agentui-approvals-close=${this.#toggle}
      ></agentui-approvals>`;
  }

  readonly #toggle = (): void => {
    this.#isOpen = !this.#isOpen;
    this.#chat.requestUpdate();
    const next = this.#isOpen ? "#inbox" : ".inbox-button";
    void this.#chat.updateComplete.then(() => this.#chat.renderRoot.querySelector<HTMLElement>(next)?.focus());
  };

  readonly #onChange = ({ detail }: CustomEvent<{ decides: boolean; waiting: number }>): void => {
    const waiting = detail.decides ? detail.waiting : null;
    if (waiting === this.#waiting) return;
    this.#waiting = waiting;
    if (waiting === null) this.#isOpen = false;
    this.#chat.requestUpdate();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
    // A panel around the chat stays open.
    event.preventDefault();
    this.#toggle();
  };
}

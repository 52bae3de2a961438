/**
 * `<agentui-panel>`: the chat behind a button that floats over a page. `mode="float"` opens a small
 * window, `mode="side"` a panel along the edge; on a phone both cover the page. Every attribute of
 * `<agentui-chat>` is passed on. Fires `agentui-panel-toggle` (detail: is it open).
 *
 * The chat is made when the panel is first opened, or at once where this tab has a thread under way.
 */
import { LitElement, html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { Client } from "../client/client.js";
import { registry, type ToolRegistry } from "../registry/registry.js";
import "./chat.js";
import type { AgentUIChat } from "./chat.js";
import { define } from "./define.js";
import { icons } from "./icons.js";
import { rememberedThread } from "./route.js";
import { base } from "./styles/base.js";
import { panelStyles } from "./styles/panel.js";
import { tokens } from "./styles/tokens.js";
import { t } from "./texts.js";

/** These are the panel's own; anything else is an attribute of the chat. */
const OWN = new Set(["mode", "open", "label", "id", "class", "style", "slot", "part", "hidden"]);
const KEY = "agentui:panel";

export class AgentUIPanel extends LitElement {
  static override styles = [tokens, base, panelStyles];
  static override properties: PropertyDeclarations = {
    mode: { reflect: true },
    open: { type: Boolean, reflect: true },
    label: {},
    _hasChat: { state: true },
  };
  /** "float" or "side". */
  declare mode: string;
  declare open: boolean;
  /** The words of the button. */
  declare label: string;
  declare _hasChat: boolean;
  readonly #attributes = new MutationObserver(() => this.#passOn());

  constructor() {
    super();
    this.mode = "float";
    this.label = "";
    this.open = this._hasChat = false;
  }

  /** The chat inside; null until there is one. */
  get chat(): AgentUIChat | null {
    return this.renderRoot?.querySelector("agentui-chat") ?? null;
  }

  get client(): Client | null {
    return this.chat?.client ?? null;
  }

  get registry(): ToolRegistry {
    return this.chat?.registry ?? registry;
  }

  show(): void {
    this.open = true;
    void this.updateComplete.then(() => this.chat?.updateComplete).then(() => this.chat?.focus());
  }

  hide(): void {
    this.open = false;
    void this.updateComplete.then(() => this.renderRoot.querySelector("button")?.focus());
  }

  toggle(): void {
    if (this.open) this.hide();
    else this.show();
  }

  /** Open the panel and send a message, as the person would. */
  async send(text: string): Promise<void> {
    this.show();
    await this.updateComplete;
    await this.chat?.send(text);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#attributes.observe(this, { attributes: true });
    const place = { route: null, home: null, agent: this.getAttribute("agent") ?? "" };
    if (remembered()) this.open = true;
    this._hasChat ||= this.open || rememberedThread(place) !== "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#attributes.disconnect();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.open) this._hasChat = true;
    if (!changed.has("open") || !this.hasUpdated) return;
    remember(this.open);
    this.dispatchEvent(new CustomEvent("agentui-panel-toggle", { detail: this.open, bubbles: true, composed: true }));
  }

  protected override render(): TemplateResult {
    const label = this.label || t("openChat");
    return html`<button class="opener" part="opener" aria-expanded=${this.open} aria-controls="panel" aria-label=${label} title=${label} ?hidden=${this.open} @click=${this.show}>
        ${icons.chat(24)}
      </button>
      <div id="panel" class="panel" part="panel" role="dialog" aria-label=${label} ?hidden=${!this.open} @keydown=${this.#onKeydown}>
        ${this._hasChat
          ? html`<agentui-chat
              exportparts="side, main, header, new-chat, thread, scroller, composer, composer-input, send, stop, banner, empty, suggestion, user-message, assistant-message, markdown, reasoning, tool-card, tool-render, approval, question, error, event, sources"
            >
              <button class="close" slot="header" aria-label=${t("closeChat")} title=${t("closeChat")} @click=${this.hide}>${icons.close(20)}</button>
              ${this.querySelector(':scope > [slot="empty"]') ? html`<slot name="empty" slot="empty"></slot>` : nothing}
              ${this.querySelector(':scope > [slot="below-composer"]') ? html`<slot name="below-composer" slot="below-composer"></slot>` : nothing}
            </agentui-chat>`
          : nothing}
      </div>`;
  }

  protected override updated(): void {
    this.#passOn();
  }

  #passOn(): void {
    const { chat } = this;
    if (!chat) return;
    if (!this.hasAttribute("list")) chat.setAttribute("list", "none");
    for (const { name, value } of this.attributes) {
      if (!OWN.has(name) && chat.getAttribute(name) !== value) chat.setAttribute(name, value);
    }
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) this.hide();
  };
}

function remembered(): boolean {
  try {
    return sessionStorage.getItem(KEY) === "open";
  } catch {
    return false;
  }
}

function remember(isOpen: boolean): void {
  try {
    if (isOpen) sessionStorage.setItem(KEY, "open");
    else sessionStorage.removeItem(KEY);
  } catch {
    // The next page then begins with a closed panel.
  }
}

define("agentui-panel", AgentUIPanel);

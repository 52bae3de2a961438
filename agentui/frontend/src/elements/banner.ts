/** `<agentui-banner>`: shown while the connection is lost, or the person is signed out. */
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import type { Client } from "../client/client.js";
import { define } from "./define.js";
import { Follow } from "./follow.js";
import { icons } from "./icons.js";
import { base } from "./styles/base.js";
import { t } from "./texts.js";

/** A reconnect that succeeds at once is not worth a word. */
const PATIENCE = 1200;

export class AgentUIBanner extends LitElement {
  static override styles = [
    base,
    css`
      :host {
        display: block;
      }
      .banner {
        display: flex;
        align-items: center;
        justify-content: center;
        flex-wrap: wrap;
        gap: 0.3rem 0.75rem;
        padding: 0.45rem 1rem;
        background: var(--_wait-soft);
        color: var(--_wait);
        font-size: 0.875rem;
      }
      .banner.bad {
        background: var(--_bad-soft);
        color: var(--_bad);
      }
      button {
        text-decoration: underline;
        text-underline-offset: 0.2em;
        font-weight: 550;
      }
    `,
  ];
  static override properties = { client: { attribute: false }, _late: { state: true } };
  declare client: Client | null;
  declare _late: boolean;
  readonly #follow = new Follow(this, () => this.#onState());
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor() {
    super();
    this.client = null;
    this._late = false;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("client") && this.client) {
      this.#follow.follow(this.client.connection.changed);
      this.#onState();
    }
  }

  protected override render(): TemplateResult {
    return html`<div role="status">${this.#content()}</div>`;
  }

  #content(): TemplateResult | typeof nothing {
    const connection = this.client?.connection;
    if (connection?.state === "denied") {
      return html`<div class="banner bad" part="banner">
        ${icons.alert(16)}<span>${t("signIn")}</span>
        <button @click=${() => location.reload()}>${t("signInAction")}</button>
      </div>`;
    }
    if (!this._late) return nothing;
    return html`<div class="banner" part="banner">
      ${icons.wifi(16)}<span>${t("reconnecting")}</span>
      <button @click=${() => connection?.retryNow()}>${t("retryNow")}</button>
    </div>`;
  }

  #onState(): void {
    const state = this.client?.connection.state;
    const isLost = state === "waiting" || state === "connecting";
    if (isLost) {
      this.#timer ??= setTimeout(() => (this._late = true), PATIENCE);
    } else {
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
      this._late = false;
    }
    this.requestUpdate();
  }
}

define("agentui-banner", AgentUIBanner);

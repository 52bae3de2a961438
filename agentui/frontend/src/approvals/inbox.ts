/**
 * `<agentui-approvals>`: what others ask and this person may decide, as a column of cards. On a page of
 * the staff, or beside a chat. Fires `agentui-approvals-change` (detail: `decides`, `waiting`) and
 * `agentui-approvals-close`.
 */
import type { PropertyDeclarations, PropertyValues, TemplateResult } from "lit";
import { Api, LitElement, base, define, html, icons, nothing, t, toolTitle, tokens, visible } from "../kit.js";
import "./card.js";
import { inboxStyles } from "./styles.js";
import { say } from "./texts.js";
import { WaitingList, type Entry } from "./waiting-list.js";

export class AgentUIApprovals extends LitElement {
  static override styles = [tokens, base, inboxStyles];
  static override properties: PropertyDeclarations = {
    api: {},
    csrf: {},
    theme: { reflect: true },
    closable: { type: Boolean },
    hidden: { type: Boolean, reflect: true },
  };
  /** Where the REST API is. */
  declare api: string;
  declare csrf: string | null;
  declare theme: string | null;
  /** With a button that asks to be closed. */
  declare closable: boolean;
  #list: WaitingList | null = null;
  #said = "";

  constructor() {
    super();
    this.api = "/agentui/api/";
    this.csrf = this.theme = null;
    this.closable = this.hidden = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#start();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#list?.stop();
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>("h2")?.focus();
  }

  protected override firstUpdated(): void {
    this.#start();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.#list) return;
    if (changed.has("api") || changed.has("csrf")) this.#start();
    if (changed.has("hidden")) this.#list.isSeen = !this.hidden;
  }

  protected override render(): TemplateResult {
    const list = this.#list;
    const { page, entries } = list ?? { page: null, entries: [] };
    const waiting = entries.filter(({ ended }) => ended === null).length;
    const more = (page?.waiting ?? 0) - waiting;
    return html`<section part="inbox" aria-labelledby="title">
      <header part="inbox-header">
        <h2 id="title" tabindex="-1">${say("inbox")}</h2>
        ${page?.waiting ? html`<span class="count" aria-hidden="true">${shownCount(page.waiting)}</span>` : nothing}
        ${page?.url ? html`<a class="all" href=${page.url}>${say("inboxAll")}</a>` : nothing}
        ${this.closable
          ? html`<button class="icon-button" aria-label=${say("inboxClose")} title=${say("inboxClose")} @click=${this.#close}>${icons.close(18)}</button>`
          : nothing}
      </header>
      <p class="hidden-text" role="status">${this.#said}</p>
      ${list?.hasFailed ? html`<p class="failed">${say("inboxFailed")}</p>` : nothing}
      <div class="cards">
        ${entries.map((entry) => this.#entry(entry))}
        ${page && waiting === 0 ? html`<p class="empty">${icons.check(28)}<span>${say("inboxEmpty")}</span></p>` : nothing}
        ${page === null && !list?.hasFailed ? html`<p class="empty quiet">${t("loading")}</p>` : nothing}
        ${more > 0 ? html`<p class="more">${say("inboxMore", { n: shownCount(more) })}</p>` : nothing}
      </div>
    </section>`;
  }

  /** One host for both, so that a card that ends becomes a line where it stood. */
  #entry({ row, ended }: Entry): TemplateResult {
    const id = `entry-${row.id}`;
    if (ended === null) {
      return html`<div class="entry" id=${id}>
        <agentui-waiting-card exportparts="approval" .approval=${row} .store=${this.#list}></agentui-waiting-card>
      </div>`;
    }
    const by = ended.by ? ` ${say("decidedBy", { name: visible(ended.by) })}` : "";
    const text = `${say(endingText(ended.status), { tool: toolTitle(row.tool_name), who: visible(row.requester_name) })}${by}`;
    return html`<div class="entry" id=${id}>
      <p class="line ${ended.status}" tabindex="-1">
        ${ended.status === "approved" ? icons.check(16) : ended.status === "pending" ? icons.clock(16) : icons.ban(16)}
        <span dir="auto">${text}</span>
        ${row.url ? html`<a href=${row.url} aria-label=${`${say("openPage")}: ${text}`}>${icons.forward(15)}</a>` : nothing}
      </p>
    </div>`;
  }

  #start(): void {
    this.#list?.stop();
    this.#list = new WaitingList(new Api({ url: this.api, csrf: this.csrf }), this.#onChange, !this.hidden);
    this.#list.start();
  }

  readonly #onChange = (): void => {
    const list = this.#list;
    if (!list) return;
    const first = list.news[0];
    this.#said = first ? say("inboxNews", { tool: toolTitle(first.tool_name) }) : "";
    // A button that is pressed loses the focus while it is off.
    const worked = list.decided === null ? this.#entryWithFocus() : `entry-${list.decided}`;
    this.requestUpdate();
    if (worked) void this.updateComplete.then(() => this.#keepFocus(worked));
    if (list.page) {
      const { decides, waiting } = list.page;
      this.dispatchEvent(
        new CustomEvent("agentui-approvals-change", { detail: { decides, waiting }, bubbles: true, composed: true }),
      );
    }
  };

  #entryWithFocus(): string | null {
    return this.shadowRoot?.activeElement?.closest(".entry")?.id ?? null;
  }

  /** Whoever has just decided goes on from the line that says so. */
  #keepFocus(id: string): void {
    if (this.shadowRoot?.activeElement) return;
    this.renderRoot.querySelector<HTMLElement>(`[id="${id}"] .line`)?.focus();
  }

  readonly #close = (): void => {
    this.dispatchEvent(new CustomEvent("agentui-approvals-close", { bubbles: true, composed: true }));
  };
}

function shownCount(count: number): string {
  return count > 99 ? "99+" : String(count);
}

function endingText(status: string): "decidedApproved" | "decidedDenied" | "decidedWaits" | "decidedOther" {
  if (status === "approved") return "decidedApproved";
  if (status === "denied") return "decidedDenied";
  return status === "pending" ? "decidedWaits" : "decidedOther";
}

define("agentui-approvals", AgentUIApprovals);

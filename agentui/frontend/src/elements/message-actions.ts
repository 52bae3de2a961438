/**
 * The row of buttons under a message: copy, edit, try again, a rating, what it took, and the other
 * versions of it.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { MessageView } from "../client/message-view.js";
import type { Rating } from "../client/rows.js";
import { copyText } from "./decorate.js";
import { define } from "./define.js";
import { icons } from "./icons.js";
import { detailsView } from "./message-details.js";
import { actionStyles } from "./styles/actions.js";
import { base } from "./styles/base.js";
import { t } from "./texts.js";

export class AgentUIMessageActions extends LitElement {
  static override styles = [base, actionStyles];
  static override properties = {
    message: { attribute: false },
    text: { attribute: false },
    editable: { type: Boolean },
    repeatable: { type: Boolean },
    rateable: { type: Boolean },
    busy: { type: Boolean },
    facts: { attribute: false },
    _copied: { state: true },
    _asks: { state: true },
    _shows: { state: true },
  };
  declare message: MessageView;
  declare text: string;
  declare editable: boolean;
  declare repeatable: boolean;
  /** It may be called good or bad. */
  declare rateable: boolean;
  declare busy: boolean;
  /** What it took; see `factsOf`. */
  declare facts: readonly string[];
  declare _copied: boolean;
  /** Asks what was wrong. */
  declare _asks: boolean;
  declare _shows: boolean;

  constructor() {
    super();
    this.text = "";
    this.facts = [];
    this.editable = this.repeatable = this.rateable = this.busy = false;
    this._copied = this._asks = this._shows = false;
  }

  protected override render(): TemplateResult {
    return html`<div class="row" part="actions">
      ${this.#versions()}
      ${this.text
        ? html`<button class="icon-button" title=${t("copy")} aria-label=${t("copy")} @click=${this.#copy}>
            ${this._copied ? icons.check(16) : icons.copy(16)}
          </button>`
        : nothing}
      ${this.editable ? this.#button("edit", t("edit"), icons.edit(16)) : nothing}
      ${this.repeatable ? this.#button("regenerate", t("regenerate"), icons.retry(16)) : nothing}
      ${this.rateable ? html`${this.#thumb("positive")}${this.#thumb("negative")}` : nothing}
      ${this.facts.length > 0
        ? html`<button class="icon-button" title=${t("details")} aria-label=${t("details")} aria-expanded=${this._shows} @click=${() => (this._shows = !this._shows)}>
            ${icons.info(16)}
          </button>`
        : nothing}
    </div>
    ${this._shows ? detailsView(this.facts) : nothing} ${this._asks ? this.#question() : nothing}`;
  }

  #button(action: string, label: string, icon: TemplateResult): TemplateResult {
    return html`<button class="icon-button" title=${label} aria-label=${label} @click=${() => this.#fire(action)}>
      ${icon}
    </button>`;
  }

  #versions(): TemplateResult | typeof nothing {
    const ids = this.message.siblings ?? [];
    const at = ids.indexOf(this.message.id);
    if (ids.length < 2 || at < 0) return nothing;
    const step = (by: number, label: string, side: string): TemplateResult =>
      html`<button
        class="icon-button ${side}"
        title=${label}
        aria-label=${label}
        ?disabled=${this.busy || ids[at + by] === undefined}
        @click=${() => this.#fire("switch", ids[at + by])}
      >
        ${icons.chevron(14)}
      </button>`;
    return html`<span class="versions" role="group" aria-label=${t("versionOf", { n: at + 1, total: ids.length })}>
      ${step(-1, t("previousVersion"), "back")}
      <span>${at + 1}/${ids.length}</span>
      ${step(1, t("nextVersion"), "")}
    </span>`;
  }

  #thumb(rating: Rating): TemplateResult {
    const isGiven = this.message.feedback?.rating === rating;
    const label = t(rating === "positive" ? "good" : "bad");
    return html`<button class="icon-button ${isGiven ? "given" : ""}" title=${label} aria-label=${label} aria-pressed=${isGiven} @click=${() => this.#rate(isGiven ? null : rating)}>
      ${rating === "positive" ? icons.thumbUp(16) : icons.thumbDown(16)}
    </button>`;
  }

  #question(): TemplateResult {
    return html`<form class="feedback" part="feedback" @submit=${this.#comment} @keydown=${this.#onKeydown}>
      <label for="comment">${t("feedbackQuestion")}</label>
      <textarea id="comment" name="comment" class="field" rows="2" maxlength="2000" dir="auto" .value=${this.message.feedback?.comment ?? ""}></textarea>
      <div>
        <button type="button" class="button" @click=${() => (this._asks = false)}>${t("cancel")}</button>
        <button class="button primary">${t("feedbackSend")}</button>
      </div>
    </form>`;
  }

  #rate(rating: Rating | null): void {
    this._asks = rating === "negative";
    this.#fire("rate", rating);
    if (this._asks) void this.updateComplete.then(() => this.renderRoot.querySelector("textarea")?.focus());
  }

  readonly #comment = (event: SubmitEvent): void => {
    event.preventDefault();
    this._asks = false;
    const comment = String(new FormData(event.target as HTMLFormElement).get("comment") ?? "").trim();
    this.dispatchEvent(new CustomEvent("action-comment", { detail: comment }));
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") this._asks = false;
  };

  readonly #copy = async (): Promise<void> => {
    this._copied = await copyText(this.text);
    setTimeout(() => (this._copied = false), 1500);
  };

  #fire(action: string, detail?: string | null): void {
    this.dispatchEvent(new CustomEvent(`action-${action}`, { detail }));
  }
}

define("agentui-message-actions", AgentUIMessageActions);

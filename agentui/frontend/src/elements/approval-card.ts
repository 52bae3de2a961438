/**
 * `<agentui-approval-card>`: what an agent wants to do, who may allow it, and until when. With
 * buttons for a person who may decide.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { ApprovalRow } from "../client/rows.js";
import type { ThreadStore, Verdict } from "../client/thread-store.js";
import type { ApprovalOption } from "../core/index.js";
import { define } from "./define.js";
import { icons } from "./icons.js";
import { approvalStyles } from "./styles/approval.js";
import { base } from "./styles/base.js";
import { valueStyles } from "./styles/values.js";
import { t } from "./texts.js";
import { moment, relative } from "./time.js";
import { readArgs, toolTitle, valueView } from "./values.js";

export class AgentUIApprovalCard extends LitElement {
  static override styles = [base, valueStyles, approvalStyles];
  static override properties = {
    approval: { attribute: false },
    toolName: { attribute: false },
    argsText: { attribute: false },
    store: { attribute: false },
    _denying: { state: true },
    _busy: { state: true },
    _error: { state: true },
  };
  /** Null for the moment between the event and the row. */
  declare approval: ApprovalRow | null;
  declare toolName: string;
  declare argsText: string;
  declare store: ThreadStore | null;
  declare _denying: ApprovalOption | true | null;
  declare _busy: boolean;
  declare _error: string;

  constructor() {
    super();
    this.approval = this.store = this._denying = null;
    this.toolName = this.argsText = this._error = "";
    this._busy = false;
  }

  protected override render(): TemplateResult {
    const { approval } = this;
    const mine = approval?.may_decide ?? false;
    return html`<section part="approval" class="card" aria-labelledby="title">
      <header>
        <span class="badge">${icons.shield(18)}</span>
        <div>
          <h3 id="title">${toolTitle(approval?.tool_name ?? this.toolName)}</h3>
          <p class="kicker">${t("approvalTitle")}</p>
        </div>
      </header>
      <div class="args">${valueView(readArgs(approval?.args_text ?? this.argsText))}</div>
      ${approval ? this.#terms(approval, mine) : nothing}
      ${mine && approval ? this.#decision(approval) : nothing}
      ${this._error ? html`<p class="error" role="alert">${this._error}</p>` : nothing}
    </section>`;
  }

  #terms(approval: ApprovalRow, mine: boolean): TemplateResult {
    const { required, decided, expires_at: until } = approval;
    return html`<p class="terms">
      <span class="who"><span class="dot"></span>${mine ? t("approvalYours") : t("approvalWho", { who: approval.who })}</span>
      ${required > 1
        ? html`<span>${t("approvalCount", { n: decided?.approve ?? 0, total: required })}</span>`
        : nothing}
      ${until
        ? html`<span><time datetime=${until} title=${moment(until)}>${t("approvalUntil", { time: `${moment(until)} (${relative(until)})` })}</time></span>`
        : nothing}
    </p>`;
  }

  #decision(approval: ApprovalRow): TemplateResult {
    if (this._denying) return this.#denial(approval, this._denying);
    const options = approval.options ?? [];
    if (options.length > 0) {
      return html`<div class="actions">
        ${options.map((option, index) => this.#option(option, index === 0))}
      </div>`;
    }
    return html`<div class="actions">
      <button class="button primary" ?disabled=${this._busy} @click=${() => this.#decide({ verdict: "approve" })}>
        ${icons.check(16)}${t("approve")}
      </button>
      <button class="button" ?disabled=${this._busy} @click=${() => this.#ask(true)}>${t("deny")}</button>
    </div>`;
  }

  #option(option: ApprovalOption, first: boolean): TemplateResult {
    const denies = /^(deny|reject)/.test(option.kind);
    return html`<button
      class="button ${first && !denies ? "primary" : ""}"
      title=${option.description ?? nothing}
      ?disabled=${this._busy}
      @click=${() => (denies ? this.#ask(option) : this.#decide(allowing(option)))}
    >
      ${option.label ?? toolTitle(option.kind)}
    </button>`;
  }

  #denial(approval: ApprovalRow, denying: ApprovalOption | true): TemplateResult {
    return html`<form class="denial" @submit=${(event: SubmitEvent) => this.#submitDenial(event, denying)}>
      <label for="reason">${approval.reason_required ? t("reason") : t("reasonOptional")}</label>
      <textarea id="reason" name="reason" class="field" rows="2" maxlength="2000" ?required=${approval.reason_required}></textarea>
      <div class="actions">
        <button class="button danger" ?disabled=${this._busy}>${t("confirmDeny")}</button>
        <button type="button" class="button" @click=${() => (this._denying = null)}>${t("cancel")}</button>
      </div>
    </form>`;
  }

  #ask(option: ApprovalOption | true): void {
    this._denying = option;
    void this.updateComplete.then(() => this.renderRoot.querySelector("textarea")?.focus());
  }

  #submitDenial(event: SubmitEvent, denying: ApprovalOption | true): void {
    event.preventDefault();
    const reason = String(new FormData(event.target as HTMLFormElement).get("reason") ?? "").trim();
    const verdict: Verdict = denying === true ? { verdict: "deny" } : { option: denying.id };
    void this.#decide(reason === "" ? verdict : { ...verdict, reason });
  }

  async #decide(verdict: Verdict): Promise<void> {
    if (!this.approval || !this.store || this._busy) return;
    this._busy = true;
    this._error = "";
    try {
      await this.store.decide(this.approval, verdict);
      this._denying = null;
    } catch (error) {
      this._error = (error as Error).message;
    } finally {
      this._busy = false;
    }
  }
}

/** An option of the site's own kind says nothing of itself: the verdict goes with it. */
function allowing(option: ApprovalOption): Verdict {
  return option.kind.startsWith("_") ? { option: option.id, verdict: "approve" } : { option: option.id };
}

define("agentui-approval-card", AgentUIApprovalCard);

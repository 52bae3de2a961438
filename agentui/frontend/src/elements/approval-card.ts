/**
 * `<agentui-approval-card>`: what an agent wants to do, who may allow it, and until when. With
 * buttons for a person who may decide.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { ApprovalRow } from "../client/rows.js";
import type { ThreadStore, Verdict } from "../client/thread-store.js";
import type { ApprovalOption } from "../core/index.js";
import { argumentFields, BadArgument, changedArguments } from "./argument-fields.js";
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
    _editing: { state: true },
    _wrong: { state: true },
    _busy: { state: true },
    _error: { state: true },
  };
  /** Null for the moment between the event and the row. */
  declare approval: ApprovalRow | null;
  declare toolName: string;
  declare argsText: string;
  declare store: ThreadStore | null;
  declare _denying: ApprovalOption | true | null;
  /** The arguments are being changed. */
  declare _editing: boolean;
  /** The argument that cannot be read. */
  declare _wrong: string;
  declare _busy: boolean;
  declare _error: string;

  constructor() {
    super();
    this.approval = this.store = this._denying = null;
    this.toolName = this.argsText = this._error = this._wrong = "";
    this._busy = this._editing = false;
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
      ${this.#arguments(approval)}
      ${approval ? this.#terms(approval, mine) : nothing}
      ${mine && approval ? this.#decision(approval) : nothing}
      ${this._error ? html`<p class="error" role="alert">${this._error}</p>` : nothing}
    </section>`;
  }

  #arguments(approval: ApprovalRow | null): TemplateResult {
    const args = readArgs(approval?.args_text ?? this.argsText);
    if (!this._editing || approval === null) return html`<div class="args">${valueView(args)}</div>`;
    const names = approval.editable ?? [];
    const fixed = Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
    return html`<form class="args" id="arguments" @submit=${(event: SubmitEvent) => event.preventDefault()}>
      ${valueView(fixed)} ${argumentFields(args, names, this._wrong)}
    </form>`;
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
        ${options.map((option, index) => this.#option(option, index === 0))} ${this.#editButton(approval)}
      </div>`;
    }
    return html`<div class="actions">
      <button class="button primary" ?disabled=${this._busy} @click=${() => this.#decide({ verdict: "approve" })}>
        ${icons.check(16)}${t("approve")}
      </button>
      <button class="button" ?disabled=${this._busy} @click=${() => this.#ask(true)}>${t("deny")}</button>
      ${this.#editButton(approval)}
    </div>`;
  }

  #editButton(approval: ApprovalRow): TemplateResult | typeof nothing {
    if ((approval.editable ?? []).length === 0) return nothing;
    return html`<button class="button" aria-expanded=${this._editing} ?disabled=${this._busy} @click=${this.#toggleEdit}>
      ${icons.edit(15)}${this._editing ? t("cancel") : t("editArguments")}
    </button>`;
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

  readonly #toggleEdit = (): void => {
    this._editing = !this._editing;
    this._wrong = "";
    if (this._editing) void this.updateComplete.then(() => this.renderRoot.querySelector("textarea")?.focus());
  };

  /** What goes along when it is allowed: the arguments, where they were changed. */
  #changes(approval: ApprovalRow): Verdict {
    const form = this.renderRoot.querySelector<HTMLFormElement>("#arguments");
    if (!this._editing || form === null) return {};
    const text = changedArguments(approval.args_text, approval.editable, new FormData(form));
    return text === approval.args_text ? {} : { args_text: text };
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
    this._wrong = "";
    try {
      const changes = this._denying ? {} : this.#changes(this.approval);
      await this.store.decide(this.approval, { ...verdict, ...changes });
      this._denying = null;
      this._editing = false;
    } catch (error) {
      if (error instanceof BadArgument) this._wrong = error.argument;
      else this._error = (error as Error).message;
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

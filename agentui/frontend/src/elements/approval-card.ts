/**
 * `<agentui-approval-card>`: what an agent wants to do, who may allow it, and until when. With
 * buttons for a person who may decide. The cards of the inbox are made of it, too.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Verdict } from "../client/api.js";
import type { ApprovalRow, PolicyOption } from "../client/rows.js";
import { argumentFields, BadArgument, changedArguments } from "./argument-fields.js";
import { define } from "./define.js";
import { icons } from "./icons.js";
import { denies, isAlways, optionLabel, reachText } from "./option-text.js";
import { approvalStyles } from "./styles/approval.js";
import { base } from "./styles/base.js";
import { valueStyles } from "./styles/values.js";
import { t } from "./texts.js";
import { moment, relative } from "./time.js";
import { readArgs, toolTitle, valueView } from "./values.js";

/** Arguments of so few characters fit into the card. */
const SHORT = 120;

type Shown = TemplateResult | typeof nothing;

/** Whoever brings the decision to the server. */
export interface Decider {
  decide(approval: ApprovalRow, verdict: Verdict): Promise<unknown>;
}

/** What the card asks once more, or asks a reason for. */
interface Asked {
  denies: boolean;
  option: PolicyOption | null;
}

export class AgentUIApprovalCard extends LitElement {
  static override styles = [base, valueStyles, approvalStyles];
  static override properties = {
    approval: { attribute: false },
    toolName: { attribute: false },
    argsText: { attribute: false },
    store: { attribute: false },
    _asked: { state: true },
    _editing: { state: true },
    _wrong: { state: true },
    _busy: { state: true },
    _error: { state: true },
  };
  /** Null for the moment between the event and the row. */
  declare approval: ApprovalRow | null;
  declare toolName: string;
  declare argsText: string;
  declare store: Decider | null;
  declare _asked: Asked | null;
  /** The arguments are being changed. */
  declare _editing: boolean;
  /** The argument that cannot be read. */
  declare _wrong: string;
  declare _busy: boolean;
  declare _error: string;
  /** An approval is asked about once more, too. */
  protected readonly confirms: boolean = false;

  constructor() {
    super();
    this.approval = this.store = this._asked = null;
    this.toolName = this.argsText = this._error = this._wrong = "";
    this._busy = this._editing = false;
  }

  /** Somebody else has changed the arguments: what was begun was about others. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("approval");
    if (!before || before.args_digest === this.approval?.args_digest) return;
    this._asked = null;
    this._editing = false;
  }

  protected override render(): TemplateResult {
    const { approval } = this;
    const mine = approval?.may_decide ?? false;
    return html`<section part="approval" class="card" aria-labelledby="title">
      <header>
        <span class="badge">${icons.shield(18)}</span>
        <div>
          <h3 id="title">${toolTitle(approval?.tool_name ?? this.toolName)}</h3>
          <p class="kicker">${this.kicker()}</p>
        </div>
      </header>
      ${this.about()} ${this.#arguments(approval)}
      ${approval ? this.#terms(approval, mine) : nothing}
      ${mine && approval ? this.decision(approval) : nothing}
      ${this._error ? html`<p class="error" role="alert">${this._error}</p>` : nothing}
    </section>`;
  }

  protected kicker(): Shown | string {
    return t("approvalTitle");
  }

  /** What stands above the arguments. */
  protected about(): Shown {
    return nothing;
  }

  protected decision(approval: ApprovalRow): Shown {
    if (this._asked) return this.#question(approval, this._asked);
    const options: (PolicyOption | null)[] = approval.options ?? [];
    return html`<div class="actions">
      ${options.length > 0 ? options.map((option, index) => this.#option(option, index === 0)) : this.#yesAndNo()}
      ${this.#editButton(approval)}
    </div>`;
  }

  #arguments(approval: ApprovalRow | null): TemplateResult {
    const text = approval?.args_text ?? this.argsText;
    const args = readArgs(text);
    if (!this._editing || approval === null) {
      // What may scroll is reached by the keyboard.
      const stop = text.length > SHORT ? 0 : nothing;
      return html`<div class="args" tabindex=${stop} role="group" aria-label=${t("arguments")}>${valueView(args, Infinity)}</div>`;
    }
    const names = approval.editable ?? [];
    const fixed = Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
    return html`<form class="args" id="arguments" @submit=${(event: SubmitEvent) => event.preventDefault()}>
      ${valueView(fixed, Infinity)} ${argumentFields(args, names, this._wrong)}
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

  #yesAndNo(): TemplateResult {
    return html`<button class="button primary" ?disabled=${this._busy} @click=${() => this.#choose(null, false)}>
        ${icons.check(16)}${t("approve")}
      </button>
      <button class="button" ?disabled=${this._busy} @click=${() => this.#choose(null, true)}>${t("deny")}</button>`;
  }

  #option(option: PolicyOption | null, first: boolean): TemplateResult {
    const no = denies(option);
    return html`<button
      class="button ${first && !no ? "primary" : ""}"
      title=${option?.description ?? nothing}
      ?disabled=${this._busy}
      @click=${() => this.#choose(option, no)}
    >
      ${option ? optionLabel(option) : nothing}
    </button>`;
  }

  #editButton(approval: ApprovalRow): Shown {
    if ((approval.editable ?? []).length === 0) return nothing;
    return html`<button class="button" aria-expanded=${this._editing} ?disabled=${this._busy} @click=${this.#toggleEdit}>
      ${icons.edit(15)}${this._editing ? t("cancel") : t("editArguments")}
    </button>`;
  }

  /** A denial asks for its reason; an approval, where it is to be asked about, once more. */
  #question(approval: ApprovalRow, asked: Asked): TemplateResult {
    const always = isAlways(asked.option) ? t("confirmAlways", { reach: reachText(asked.option) }) : "";
    const isLast = approval.required - (approval.decided?.approve ?? 0) <= 1;
    const says = always || (asked.denies ? "" : t(isLast ? "confirmOnce" : "confirmOneOf"));
    return html`<form class="denial" @submit=${(event: SubmitEvent) => this.#submit(event, asked)}>
      ${says ? html`<p class="says">${says}</p>` : nothing}
      ${asked.denies
        ? html`<label for="reason">${approval.reason_required ? t("reason") : t("reasonOptional")}</label>
            <textarea id="reason" name="reason" class="field" rows="2" maxlength="4000" ?required=${approval.reason_required}></textarea>`
        : nothing}
      <div class="actions">
        <button class="button ${asked.denies ? "danger" : "primary"}" ?disabled=${this._busy}>
          ${asked.denies ? t("confirmDeny") : t("confirmApprove")}
        </button>
        <button type="button" class="button" @click=${() => (this._asked = null)}>${t("cancel")}</button>
      </div>
    </form>`;
  }

  #choose(option: PolicyOption | null, no: boolean): void {
    if (!no && !this.confirms) return void this.#decide(saying(option, no));
    this._error = "";
    this._asked = { denies: no, option };
    const field = no ? "textarea" : ".denial button";
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(field)?.focus());
  }

  #submit(event: SubmitEvent, { denies, option }: Asked): void {
    event.preventDefault();
    const reason = String(new FormData(event.target as HTMLFormElement).get("reason") ?? "").trim();
    const verdict = saying(option, denies);
    void this.#decide(reason === "" ? verdict : { ...verdict, reason });
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

  async #decide(verdict: Verdict): Promise<void> {
    if (!this.approval || !this.store || this._busy) return;
    this._busy = true;
    this._error = "";
    this._wrong = "";
    try {
      const changes = this._asked?.denies ? {} : this.#changes(this.approval);
      await this.store.decide(this.approval, { ...verdict, ...changes });
      this._asked = null;
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
function saying(option: PolicyOption | null, no: boolean): Verdict {
  if (option === null) return { verdict: no ? "deny" : "approve" };
  return option.kind.startsWith("_") ? { option: option.id, verdict: no ? "deny" : "approve" } : { option: option.id };
}

define("agentui-approval-card", AgentUIApprovalCard);

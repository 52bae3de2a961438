/** `<agentui-confirm-card>`: may the agent do this on the page? For tools that ask first. */
import { LitElement, html, type TemplateResult } from "lit";
import { visible, type Json } from "../core/index.js";
import { define } from "../elements/define.js";
import { icons } from "../elements/icons.js";
import { approvalStyles } from "../elements/styles/approval.js";
import { base } from "../elements/styles/base.js";
import { valueStyles } from "../elements/styles/values.js";
import { t } from "../elements/texts.js";
import { toolTitle, valueView } from "../elements/values.js";
import type { RenderProps, Tool } from "../registry/tool.js";

export class AgentUIConfirmCard extends LitElement {
  static override styles = [base, valueStyles, approvalStyles];
  static override properties = { props: { attribute: false }, question: { attribute: false }, _isAnswered: { state: true } };
  declare props: RenderProps;
  declare question: string;
  declare _isAnswered: boolean;

  constructor() {
    super();
    this.question = "";
    this._isAnswered = false;
  }

  protected override render(): TemplateResult {
    const { name, args } = this.props;
    return html`<section part="approval" class="card" aria-labelledby="title">
      <header>
        <span class="badge">${icons.question(18)}</span>
        <div>
          <h3 id="title" dir="auto">${visible(this.question) || toolTitle(name)}</h3>
          <p class="kicker">${t("confirmTitle")}</p>
        </div>
      </header>
      <div class="args">${valueView(args)}</div>
      <div class="actions">
        <button class="button primary" ?disabled=${this._isAnswered} @click=${() => this.#answer(true)}>
          ${icons.check(16)}${t("confirmYes")}
        </button>
        <button class="button" ?disabled=${this._isAnswered} @click=${() => this.#answer(false)}>${t("confirmNo")}</button>
      </div>
    </section>`;
  }

  #answer(answer: Json): void {
    this._isAnswered = true;
    this.props.respond?.(answer);
  }
}

/** The words of the question; empty for a tool that has none of its own. */
export function questionOf(tool: Tool, props: RenderProps): string {
  if (typeof tool.confirm === "function") return tool.confirm(props.args);
  return typeof tool.confirm === "string" ? tool.confirm : "";
}

define("agentui-confirm-card", AgentUIConfirmCard);

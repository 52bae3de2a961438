/** One request in the inbox: who asks and why, above the arguments, and the way to its page. */
import type { TemplateResult } from "lit";
import type { ApprovalRow, WaitingRow } from "../client/rows.js";
import { AgentUIApprovalCard, define, html, icons, nothing, relative, visible } from "../kit.js";
import { cardStyles } from "./styles.js";
import { say } from "./texts.js";

type Shown = TemplateResult | typeof nothing;

export class AgentUIWaitingCard extends AgentUIApprovalCard {
  static override styles = [...AgentUIApprovalCard.styles, cardStyles];
  declare approval: WaitingRow | null;
  protected override readonly confirms = true;

  protected override kicker(): string {
    const { approval } = this;
    return approval ? say("askedBy", { who: visible(approval.requester_name), time: relative(approval.requested_at) }) : "";
  }

  protected override about(): Shown {
    const { approval } = this;
    if (!approval) return nothing;
    return html`${approval.description ? html`<p class="does" dir="auto">${visible(firstLine(approval.description))}</p>` : nothing}
    ${approval.asked ? html`<blockquote class="asked" dir="auto" aria-label=${say("askedFor")} tabindex="0">${visible(approval.asked)}</blockquote>` : nothing}`;
  }

  protected override decision(approval: ApprovalRow): Shown {
    const { answer_schema: schema, url } = approval as WaitingRow;
    const page = url ? html`<a class="page" href=${url}>${say("openPage")}${icons.forward(14)}</a>` : nothing;
    if (schema !== null) return html`<p class="hint">${say("answerOnPage")}</p>${page}`;
    return html`${super.decision(approval)}${page}`;
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

define("agentui-waiting-card", AgentUIWaitingCard);

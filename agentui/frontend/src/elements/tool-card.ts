/**
 * `<agentui-tool-card>`: one tool call through all its states. A page's own renderer, an approval
 * or a question takes the place of the card's body; the raw view stays.
 */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { Client } from "../client/client.js";
import type { ToolCallView } from "../client/message-view.js";
import type { ThreadStore } from "../client/thread-store.js";
import { ANSWERED, indentJson, showJson, visible, type Json } from "../core/index.js";
import "./approval-card.js";
import { define } from "./define.js";
import { Follow } from "./follow.js";
import "./human-card.js";
import { icons } from "./icons.js";
import { messagesIn, nestedView } from "./nested-messages.js";
import { renderedByPage } from "./page-renderer.js";
import { base } from "./styles/base.js";
import { toolStyles } from "./styles/tool.js";
import { valueStyles } from "./styles/values.js";
import { t, type TextKey } from "./texts.js";
import { readArgs, summary, toolTitle, valueView } from "./values.js";

type Look = [label: TextKey, icon: keyof typeof icons, tone: "" | "busy" | "wait" | "good" | "bad" | "off"];

const LOOKS: Record<ToolCallView["status"], Look> = {
  streaming: ["callStreaming", "spinner", "busy"],
  pending: ["callPending", "spinner", "busy"],
  awaiting_approval: ["callAwaiting", "shield", "wait"],
  approved: ["callApproved", "spinner", "busy"],
  executing: ["callExecuting", "spinner", "busy"],
  complete: ["callComplete", "check", "good"],
  failed: ["callFailed", "alert", "bad"],
  denied: ["callDenied", "ban", "bad"],
  expired: ["callExpired", "clock", "off"],
  cancelled: ["callCancelled", "ban", "off"],
  interrupted: ["callInterrupted", "bolt", "bad"],
};

export class AgentUIToolCard extends LitElement {
  static override styles = [base, valueStyles, toolStyles];
  static override properties = {
    call: { attribute: false },
    store: { attribute: false },
    client: { attribute: false },
  };
  declare call: ToolCallView;
  declare store: ThreadStore | null;
  declare client: Client | null;
  readonly #follow = new Follow(this);

  constructor() {
    super();
    this.store = this.client = null;
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("client") && this.client) {
      this.#follow.follow(this.client.registry.changed, this.client.runner.changed);
    }
  }

  protected override render(): TemplateResult {
    const { call } = this;
    if (call.status === "awaiting_approval") return this.#approval();
    const own = renderedByPage(call, this.client, this.store);
    if (own !== null) return html`<div class="own" part="tool-render">${own}</div>${this.#outcomeNote()}`;
    if (call.kind === "human" && !ANSWERED.has(call.status)) {
      return html`<agentui-human-card exportparts="question" .call=${call} .client=${this.client}></agentui-human-card>`;
    }
    return this.#card();
  }

  #approval(): TemplateResult {
    const { call } = this;
    return html`<agentui-approval-card
      exportparts="approval"
      .approval=${call.approval}
      .toolName=${call.tool_name}
      .argsText=${call.args_text}
      .store=${this.store}
    ></agentui-approval-card>`;
  }

  #card(): TemplateResult {
    const { call } = this;
    const [label, icon, tone] = LOOKS[call.status === "pending" && call.isClaimed ? "executing" : call.status];
    const args = readArgs(call.args_text);
    return html`<details class="card ${tone}" part="tool-card">
      <summary>
        <span class="sign">${icons[icon](16)}</span>
        <span class="title">${toolTitle(call.tool_name)}</span>
        <span class="summary" dir="auto">${summary(args)}</span>
        <span class="state">${t(label)}</span>
        ${icons.chevron(14)}
      </summary>
      <div class="body">${valueView(args)} ${this.#result()} ${this.#raw()}</div>
    </details>
    ${this.#progress()} ${nestedView(call)} ${this.#outcomeNote()}`;
  }

  #result(): TemplateResult | typeof nothing {
    const { call } = this;
    if (!ANSWERED.has(call.status) || call.result === null || call.result === undefined) return nothing;
    return html`<div class="result ${call.is_error ? "bad" : ""}">
      <h4>${t("result")}</h4>
      ${valueView(call.result)}
    </div>`;
  }

  #raw(): TemplateResult {
    const { call } = this;
    return html`<details class="raw">
      <summary>${icons.chevron(12)}${t("rawView")}</summary>
      <h4>${t("arguments")}</h4>
      <pre tabindex="0">${visible(indentJson(call.args_text || "{}"))}</pre>
      ${ANSWERED.has(call.status)
        ? html`<h4>${t("result")}</h4>
            <pre tabindex="0">${visible(showJson(call.result ?? null))}</pre>`
        : nothing}
    </details>`;
  }

  #progress(): TemplateResult | typeof nothing {
    const { progress, status } = this.call;
    if (progress === null || ANSWERED.has(status)) return nothing;
    const { value, label, partial } = readProgress(progress);
    return html`<div class="progress">
      ${value === null ? nothing : html`<progress max="1" value=${value} aria-label=${label || t("callExecuting")}></progress>`}
      ${label ? html`<span dir="auto">${visible(label)}</span>` : nothing}
      ${partial === null ? nothing : html`<div class="partial" role="group" aria-label=${t("partialResult")}>${valueView(partial)}</div>`}
    </div>`;
  }

  /** What a reader must know without opening anything. */
  #outcomeNote(): TemplateResult | typeof nothing {
    const { status, approval, reason, result } = this.call;
    const said = approval?.decisions?.findLast((decision) => decision.reason)?.reason ?? reason;
    if (status === "denied" && said) return note(t("deniedBecause", { reason: visible(said) }));
    if (status === "interrupted") return note(t("interruptedHint"));
    if (status === "failed" && typeof result === "string") return note(visible(result.slice(0, 300)));
    return nothing;
  }
}

function note(text: string): TemplateResult {
  return html`<p class="note" dir="auto">${text}</p>`;
}

interface Progress {
  value: number | null;
  label: string;
  /** What is known of the result so far. */
  partial: Json;
}

/** A share from 0 to 1, a text, or `{value, label, result}`; any other value is a part of the result. */
function readProgress(progress: Json): Progress {
  if (typeof progress === "number") return { value: progress, label: "", partial: null };
  if (typeof progress === "string") return { value: null, label: progress, partial: null };
  if (progress === null || Array.isArray(progress) || typeof progress !== "object") {
    return { value: null, label: "", partial: progress };
  }
  const { value, label, text, result } = progress;
  const isOurs = [value, label, text, result].some((field) => field !== undefined) || messagesIn(progress) !== null;
  if (!isOurs) return { value: null, label: "", partial: progress };
  const said = label ?? text;
  return {
    value: typeof value === "number" ? value : null,
    label: typeof said === "string" ? said : "",
    partial: result ?? null,
  };
}

define("agentui-tool-card", AgentUIToolCard);

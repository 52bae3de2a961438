/** The row of buttons under a message: copy, edit, try again, and the other versions of it. */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { MessageView } from "../client/message-view.js";
import { copyText } from "./decorate.js";
import { define } from "./define.js";
import { icons } from "./icons.js";
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
    busy: { type: Boolean },
    _copied: { state: true },
  };
  declare message: MessageView;
  declare text: string;
  declare editable: boolean;
  declare repeatable: boolean;
  declare busy: boolean;
  declare _copied: boolean;

  constructor() {
    super();
    this.text = "";
    this.editable = this.repeatable = this.busy = this._copied = false;
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
    </div>`;
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

  readonly #copy = async (): Promise<void> => {
    this._copied = await copyText(this.text);
    setTimeout(() => (this._copied = false), 1500);
  };

  #fire(action: string, detail?: string): void {
    this.dispatchEvent(new CustomEvent(`action-${action}`, { detail }));
  }
}

define("agentui-message-actions", AgentUIMessageActions);

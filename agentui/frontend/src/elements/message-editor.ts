/** Edits a message in place. Fires `editor-save` (detail: the text) or `editor-cancel`. */
import { LitElement, html, type TemplateResult } from "lit";
import { define } from "./define.js";
import { base } from "./styles/base.js";
import { actionStyles } from "./styles/actions.js";
import { t } from "./texts.js";

export class AgentUIMessageEditor extends LitElement {
  static override styles = [base, actionStyles];
  static override properties = { text: { attribute: false }, label: {} };
  declare text: string;
  /** On the button that ends it. */
  declare label: string;

  constructor() {
    super();
    this.text = this.label = "";
  }

  protected override render(): TemplateResult {
    return html`<form class="editor" @submit=${this.#save} @keydown=${this.#onKeydown}>
      <textarea class="field" aria-label=${t("message")} dir="auto" .value=${this.text}></textarea>
      <div>
        <button type="button" class="button" @click=${this.#cancel}>${t("cancel")}</button>
        <button class="button primary">${this.label || t("send")}</button>
      </div>
    </form>`;
  }

  protected override firstUpdated(): void {
    const area = this.#area;
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }

  get #area(): HTMLTextAreaElement {
    return this.renderRoot.querySelector("textarea") as HTMLTextAreaElement;
  }

  readonly #save = (event?: Event): void => {
    event?.preventDefault();
    const text = this.#area.value.trim();
    if (text === "") return;
    this.dispatchEvent(new CustomEvent<string>("editor-save", { detail: text }));
  };

  readonly #cancel = (): void => {
    this.dispatchEvent(new CustomEvent("editor-cancel"));
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") this.#cancel();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    if (!(event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    this.#save();
  };
}

define("agentui-message-editor", AgentUIMessageEditor);

/**
 * `<agentui-composer>`: where a message is written. Enter sends, Shift+Enter makes a new line; what
 * was not sent is kept for each thread. Fires `composer-send` (detail: the text) and `composer-stop`.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { define } from "./define.js";
import { Drafts } from "./drafts.js";
import { icons } from "./icons.js";
import { base } from "./styles/base.js";
import { composerStyles } from "./styles/composer.js";
import { t } from "./texts.js";

export class AgentUIComposer extends LitElement {
  static override styles = [base, composerStyles];
  static override properties = {
    draftKey: { attribute: false },
    running: { type: Boolean },
    disabled: { type: Boolean },
    placeholder: {},
    _text: { state: true },
  };
  /** Under which name the draft is kept; another name shows another draft. */
  declare draftKey: string;
  declare running: boolean;
  declare disabled: boolean;
  declare placeholder: string;
  declare _text: string;
  readonly #drafts = new Drafts();

  constructor() {
    super();
    this.draftKey = this._text = this.placeholder = "";
    this.running = this.disabled = false;
  }

  override focus(): void {
    this.#area?.focus();
  }

  /** Put text into the field, for the person to change and send. */
  fill(text: string): void {
    this.#write(text);
    void this.updateComplete.then(() => this.focus());
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("draftKey")) this._text = this.#drafts.get(this.draftKey);
  }

  protected override render(): TemplateResult {
    const hasText = this._text.trim() !== "";
    return html`<form class="box" part="composer" @submit=${this.#submit} @click=${this.#onBoxClick}>
      <textarea
        part="composer-input"
        rows="1"
        aria-label=${t("message")}
        placeholder=${this.placeholder || t("placeholder")}
        enterkeyhint="send"
        dir="auto"
        .value=${this._text}
        ?disabled=${this.disabled}
        @input=${this.#onInput}
        @keydown=${this.#onKeydown}
      ></textarea>
      <div class="buttons">
        ${this.running
          ? html`<button type="button" class="round stop" part="stop" aria-label=${t("stop")} title=${t("stop")} @click=${this.#stop}>
              ${icons.stop(20)}
            </button>`
          : nothing}
        ${!this.running || hasText
          ? html`<button class="round send" part="send" aria-label=${t("send")} title=${t("send")} ?disabled=${this.disabled || !hasText}>
              ${icons.arrowUp(20)}
            </button>`
          : nothing}
      </div>
    </form>`;
  }

  protected override updated(): void {
    // Browsers without field-sizing: measure. Set by script, as a strict CSP allows.
    const area = this.#area;
    if (!area || CSS.supports("field-sizing", "content")) return;
    area.style.blockSize = "auto";
    area.style.blockSize = `${area.scrollHeight}px`;
  }

  get #area(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector("textarea") ?? null;
  }

  #write(text: string): void {
    this._text = text;
    this.#drafts.set(this.draftKey, text);
  }

  readonly #onInput = (event: Event): void => {
    this.#write((event.target as HTMLTextAreaElement).value);
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    // While an input method composes, Enter belongs to it; 229 is how Safari says so.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.#send();
  };

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    this.#send();
  };

  readonly #onBoxClick = (event: Event): void => {
    if (event.target === event.currentTarget) this.focus();
  };

  readonly #stop = (): void => {
    this.dispatchEvent(new CustomEvent("composer-stop"));
    this.focus();
  };

  #send(): void {
    const text = this._text.trim();
    if (text === "" || this.disabled) return;
    this.#write("");
    this.dispatchEvent(new CustomEvent<string>("composer-send", { detail: text }));
  }
}

define("agentui-composer", AgentUIComposer);

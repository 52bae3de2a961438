/**
 * `<agentui-composer>`: where a message is written. Enter sends, Shift+Enter makes a new line, and
 * Ctrl+Enter does not wait for the answer that is being written. What was not sent is kept for each
 * thread. Fires `composer-send` (detail: `{text, files, steer}`) and `composer-stop`.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Client } from "../client/client.js";
import type { UploadPart, UserPart } from "../client/frames.js";
import { Uploads, type Upload } from "../client/uploads.js";
import { define } from "./define.js";
import { Drafts } from "./drafts.js";
import { Follow } from "./follow.js";
import { icons } from "./icons.js";
import { textOf } from "./message-text.js";
import { base } from "./styles/base.js";
import { composerStyles } from "./styles/composer.js";
import { t } from "./texts.js";
import "./upload-chip.js";

export interface ComposerMessage {
  text: string;
  files: UploadPart[];
  steer: boolean;
}

/** A longer text that is pasted becomes a file, where the server takes files of text. */
const LONG_PASTE = 20_000;

/** What a frame holds beside the text: ids, tools and what the page says of itself. */
const FRAME_SPARE = 32 * 1024;

export class AgentUIComposer extends LitElement {
  static override styles = [base, composerStyles];
  static override properties = {
    client: { attribute: false },
    draftKey: { attribute: false },
    running: { type: Boolean },
    disabled: { type: Boolean },
    placeholder: {},
    _text: { state: true },
  };
  declare client: Client | null;
  /** Under which name the draft is kept; another name shows another draft. */
  declare draftKey: string;
  declare running: boolean;
  declare disabled: boolean;
  declare placeholder: string;
  declare _text: string;
  readonly #drafts = new Drafts();
  readonly #uploads = new Map<string, Uploads>();
  readonly #follow = new Follow(this);

  constructor() {
    super();
    this.client = null;
    this.draftKey = this._text = this.placeholder = "";
    this.running = this.disabled = false;
  }

  override focus(): void {
    this.#area?.focus();
  }

  /** Put a message that was not taken before what is being written, for the person to change and send. */
  restore(parts: readonly UserPart[]): void {
    this.#files.restore(parts);
    this.#write([textOf({ parts }), this._text].filter((text) => text !== "").join("\n\n"));
    void this.updateComplete.then(() => this.focus());
  }

  /** The draft's thread has got this name: what is written meanwhile stays. */
  rename(key: string): void {
    const text = this._text;
    const uploads = this.#uploads.get(this.draftKey);
    this.#write("");
    if (uploads) this.#uploads.set(key, uploads);
    this.#uploads.delete(this.draftKey);
    this.#drafts.set(key, text);
    this.draftKey = key;
  }

  /** Files that were chosen, pasted or dropped. */
  addFiles(files: Iterable<File>): void {
    if (this.canAttach) this.#files.add(files);
  }

  /** True where the server takes files. */
  get canAttach(): boolean {
    return !this.disabled && this.#types.length > 0;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("draftKey")) this._text = this.#drafts.get(this.draftKey);
    if ((changed.has("draftKey") || changed.has("client")) && this.client) {
      this.#follow.follow(this.client.connection.changed, this.#files.changed);
    }
  }

  protected override render(): TemplateResult {
    const { list } = this.#files;
    return html`<form class="box" part="composer" @submit=${this.#submit} @click=${this.#onBoxClick} @paste=${this.#onPaste}>
      ${list.length > 0
        ? html`<ul class="uploads" aria-label=${t("files")}>
            ${repeat(list, (upload) => upload, (upload) => this.#chip(upload))}
          </ul>`
        : nothing}
      <div class="line">
        ${this.canAttach ? this.#clip() : nothing}
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
        <div class="buttons">${this.#buttons()}</div>
      </div>
      ${this.#isTooLong ? html`<p class="too-long" role="alert">${t("tooLong", { n: this.#longest })}</p>` : nothing}
    </form>`;
  }

  protected override updated(): void {
    // Browsers without field-sizing: measure. Set by script, as a strict CSP allows.
    const area = this.#area;
    if (!area || CSS.supports("field-sizing", "content")) return;
    area.style.blockSize = "auto";
    area.style.blockSize = `${area.scrollHeight}px`;
  }

  #clip(): TemplateResult {
    return html`<button type="button" class="round clip" part="attach" aria-label=${t("attach")} title=${t("attach")} @click=${this.#choose}>
        ${icons.clip(20)}
      </button>
      <input type="file" multiple hidden accept=${this.#types.join(",")} @change=${this.#onChosen} />`;
  }

  #chip(upload: Upload): TemplateResult {
    const state = upload.error ? "refused" : upload.id === null ? "busy" : "done";
    return html`<li>
      <agentui-upload-chip
        .upload=${upload}
        .progress=${upload.progress}
        .state=${state}
        @upload-remove=${() => this.#remove(upload)}
        @upload-retry=${() => this.#files.retry(upload)}
      ></agentui-upload-chip>
    </li>`;
  }

  #buttons(): TemplateResult {
    const isEmpty = this.#isEmpty;
    return html`${this.running
      ? html`<button type="button" class="round stop" part="stop" aria-label=${t("stop")} title=${t("stop")} @click=${this.#stop}>
          ${icons.stop(20)}
        </button>`
      : nothing}
    ${!this.running || !isEmpty
      ? html`<button class="round send" part="send" aria-label=${t("send")} title=${this.running ? t("sendQueued") : t("send")} ?disabled=${!this.#maySend}>
          ${icons.arrowUp(20)}
        </button>`
      : nothing}`;
  }

  get #files(): Uploads {
    let uploads = this.#uploads.get(this.draftKey);
    if (uploads === undefined) {
      const client = this.client as Client;
      uploads = new Uploads(client?.api, () => {
        const { attachment_bytes: bytes, attachment_types: types } = client.connection.limits;
        return { bytes, types };
      });
      if (client) this.#uploads.set(this.draftKey, uploads);
    }
    return uploads;
  }

  get #types(): readonly string[] {
    return this.client?.connection.limits.attachment_types ?? [];
  }

  get #longest(): number {
    return this.client?.connection.limits.message_chars ?? Infinity;
  }

  get #isTooLong(): boolean {
    const { length } = this._text;
    const frame = this.client?.connection.frameBytes ?? Infinity;
    // A character is at most three bytes of a frame, or six where JSON writes it out.
    return length > this.#longest || (length * 6 > frame && bytesOf(this._text) > frame - FRAME_SPARE);
  }

  get #isEmpty(): boolean {
    return this._text.trim() === "" && !this.#files.list.some((upload) => upload.error === null);
  }

  /** A file that was refused is not sent, so it is taken away first: nobody misses it later. */
  get #maySend(): boolean {
    const isReady = !this.#files.isBusy && this.#files.list.every((upload) => upload.error === null);
    return !this.disabled && !this.#isEmpty && !this.#isTooLong && isReady;
  }

  get #area(): HTMLTextAreaElement | null {
    return this.renderRoot?.querySelector("textarea") ?? null;
  }

  #write(text: string): void {
    this._text = text;
    this.#drafts.set(this.draftKey, text);
  }

  #remove(upload: Upload): void {
    this.#files.remove(upload);
    this.focus();
  }

  readonly #choose = (): void => {
    this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  };

  readonly #onChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    this.addFiles(input.files ?? []);
    input.value = "";
    this.focus();
  };

  readonly #onPaste = (event: ClipboardEvent): void => {
    const { files } = event.clipboardData ?? {};
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files && files.length > 0) {
      event.preventDefault();
      this.addFiles(files);
    } else if (text.length > LONG_PASTE && this.canAttach && this.#types.includes("text/plain")) {
      event.preventDefault();
      this.addFiles([new File([text], t("pastedName"), { type: "text/plain" })]);
    }
  };

  readonly #onInput = (event: Event): void => {
    this.#write((event.target as HTMLTextAreaElement).value);
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    // While an input method composes, Enter belongs to it; 229 is how Safari says so.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.#send(this.running && (event.ctrlKey || event.metaKey));
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

  #send(steer = false): void {
    if (!this.#maySend) return;
    const detail = { text: this._text.trim(), files: this.#files.take(), steer };
    this.#write("");
    this.dispatchEvent(new CustomEvent<ComposerMessage>("composer-send", { detail }));
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(JSON.stringify(text)).byteLength;
}

define("agentui-composer", AgentUIComposer);

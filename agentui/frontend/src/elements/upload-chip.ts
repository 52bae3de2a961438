/**
 * `<agentui-upload-chip>`: a file before it is sent: its picture or kind, how far it has come, what is
 * wrong with it. Fires `upload-remove` and `upload-retry`.
 */
import { LitElement, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Upload } from "../client/uploads.js";
import { visible } from "../core/index.js";
import { define } from "./define.js";
import { icons } from "./icons.js";
import { base } from "./styles/base.js";
import { fileStyles } from "./styles/files.js";
import { t } from "./texts.js";

const SIDE = 96;
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export class AgentUIUploadChip extends LitElement {
  static override styles = [base, fileStyles];
  static override properties = {
    upload: { attribute: false },
    progress: { type: Number },
    state: { reflect: true },
    _hasPicture: { state: true },
  };
  declare upload: Upload;
  /** Of the upload, given apart so that a change of it is one of the element. */
  declare progress: number;
  declare state: "busy" | "done" | "refused";
  declare _hasPicture: boolean;

  constructor() {
    super();
    this.progress = 0;
    this.state = "busy";
    this._hasPicture = false;
  }

  protected override render(): TemplateResult {
    const { upload } = this;
    const name = visible(upload.name);
    return html`<div class="upload">
      <span class="picture">
        <canvas width=${SIDE} height=${SIDE} ?hidden=${!this._hasPicture} aria-hidden="true"></canvas>
        ${this._hasPicture ? nothing : icons.file(18)}
      </span>
      <span class="about">
        <span class="name" dir="auto" title=${name}>${name}</span>
        ${this.#state()}
      </span>
      ${this.state === "refused" && retriable(upload)
        ? html`<button type="button" class="icon-button" aria-label=${t("retryUpload", { name })} title=${t("retryUpload", { name })} @click=${() => this.#fire("retry")}>
            ${icons.retry(15)}
          </button>`
        : nothing}
      <button type="button" class="icon-button" aria-label=${t("removeFile", { name })} title=${t("removeFile", { name })} @click=${() => this.#fire("remove")}>
        ${icons.close(15)}
      </button>
    </div>`;
  }

  protected override firstUpdated(_changed: PropertyValues): void {
    const { file } = this.upload;
    if (file !== null && PICTURES.has(file.type)) void this.#draw(file);
  }

  #state(): TemplateResult {
    const { error, file } = this.upload;
    if (error) return html`<span class="wrong" role="alert">${refusal(error.code, error.message)}</span>`;
    if (this.state === "busy") {
      return html`<progress max="1" value=${this.progress} aria-label=${t("uploading", { name: visible(this.upload.name) })}></progress>`;
    }
    return file === null ? html`` : html`<span class="size">${sizeOf(file.size)}</span>`;
  }

  /** Drawn, not linked: a page's policy need not allow `blob:` for it. */
  async #draw(file: File): Promise<void> {
    try {
      const picture = await createImageBitmap(file);
      const { width, height } = picture;
      const side = Math.min(width, height);
      const canvas = this.renderRoot.querySelector("canvas");
      canvas?.getContext("2d")?.drawImage(picture, (width - side) / 2, (height - side) / 2, side, side, 0, 0, SIDE, SIDE);
      picture.close();
      this._hasPicture = true;
    } catch {
      // Not a picture after all; the server will say so too.
    }
  }

  #fire(what: string): void {
    this.dispatchEvent(new CustomEvent(`upload-${what}`));
  }
}

function retriable({ error }: Upload): boolean {
  return error !== null && error.code !== "file_type" && error.code !== "too_large" && error.code !== "invalid";
}

function refusal(code: string, message: string): string {
  if (code === "file_type") return t("fileType", { type: visible(message) });
  return code === "too_large" ? t("fileTooLarge", { size: message }) : message;
}

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}

define("agentui-upload-chip", AgentUIUploadChip);

/**
 * Files in a message. An upload's bytes come from the server's own address for its owner; a picture is
 * shown only where the server says that it is one. Any other file is a name, and a download.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { Client } from "../client/client.js";
import type { UserPart } from "../client/frames.js";
import type { PartView } from "../client/message-view.js";
import { visible } from "../core/index.js";
import { icons } from "./icons.js";
import { t } from "./texts.js";

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface ShownFile {
  name: string;
  mimeType: string;
  /** Of the upload, where there is one. */
  id: string | null;
}

export function filesView(
  parts: readonly (PartView | UserPart)[],
  client: Client | null,
): TemplateResult | typeof nothing {
  const files = parts.filter((part) => part.type === "file").map(readFile);
  if (files.length === 0) return nothing;
  return html`<ul class="files" part="files">
    ${files.map((file) => html`<li>${fileView(file, client)}</li>`)}
  </ul>`;
}

function fileView({ name, mimeType, id }: ShownFile, client: Client | null): TemplateResult {
  const label = visible(name);
  if (id === null || client === null) return html`<span class="chip">${icons.file(13)}<span>${label}</span></span>`;
  const address = client.api.attachmentAddress(id);
  if (PICTURES.has(mimeType)) {
    return html`<a class="shown-picture" href=${address} download=${name} title=${label}>
      <img src=${address} alt=${label} loading="lazy" decoding="async" />
    </a>`;
  }
  return html`<a class="chip" href=${address} download=${name} title=${t("download", { name: label })}>
    ${icons.file(13)}<span>${label}</span>
  </a>`;
}

function readFile(part: Extract<PartView | UserPart, { type: "file" }>): ShownFile {
  const mimeType = part.mime_type ?? "";
  const name = part.filename || mimeType || t("file");
  if ("attachment" in part) return { name, mimeType, id: part.attachment };
  const isUpload = part.source_type === "attachment" && UUID.test(part.data);
  return { name, mimeType, id: isUpload ? part.data : null };
}

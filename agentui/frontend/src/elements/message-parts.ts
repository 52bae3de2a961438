/** Smaller parts of a message: sources, and how it ended. */
import { html, nothing, type TemplateResult } from "lit";
import type { MessageView, PartView } from "../client/message-view.js";
import { visible, type SourcePart } from "../core/index.js";
import { safeLink } from "../markdown/links.js";
import { icons } from "./icons.js";
import { t, type TextKey } from "./texts.js";

const ENDINGS: Partial<Record<string, TextKey>> = {
  cancelled: "stopped",
  length: "lengthReached",
  content_filter: "filtered",
  max_roundtrips: "maxRoundtrips",
  interrupted: "interrupted",
};

export function sourcesView(parts: readonly PartView[]): TemplateResult | typeof nothing {
  const sources = parts.filter((part): part is SourcePart => part.type === "source");
  if (sources.length === 0) return nothing;
  return html`<ul class="chips" part="sources">
    ${sources.map((source) => {
      const address = source.url ? safeLink(source.url) : null;
      const label = visible(source.title || source.filename || source.url || source.id);
      return html`<li>
        ${address === null
          ? html`<span class="chip">${icons.file(13)}<span>${label}</span></span>`
          : html`<a class="chip" href=${address} target="_blank" rel="noopener noreferrer" title=${address}>${icons.link(13)}<span>${label}</span></a>`}
      </li>`;
    })}
  </ul>`;
}

/** Why the message ends where it ends; nothing for an ordinary end. */
export function outcomeView(
  { status, error }: MessageView,
  retry: (() => void) | null,
): TemplateResult | typeof nothing {
  if (status.type !== "incomplete") return nothing;
  const again = retry
    ? html`<button class="button" @click=${retry}>${icons.retry(15)}${t("regenerate")}</button>`
    : nothing;
  if (status.reason === "error") {
    const text = typeof error?.["message"] === "string" ? error["message"] : "";
    return html`<div class="failure" part="error" role="alert">
      ${icons.alert(18)}
      <div>
        <strong>${t("errorTitle")}</strong>
        ${text ? html`<p dir="auto">${visible(text)}</p>` : nothing}
      </div>
      ${again}
    </div>`;
  }
  const key = ENDINGS[status.reason ?? ""];
  if (key === undefined) return nothing;
  if (status.reason === "cancelled") return html`<p class="ending">${icons.stop(14)}${t(key)}</p>`;
  return html`<div class="failure soft" part="error">${icons.alert(18)}<div>${t(key)}</div>${again}</div>`;
}

/** What a thread shows besides its messages. */
import { html, nothing, type TemplateResult } from "lit";
import type { Client } from "../client/client.js";
import type { MessageView } from "../client/message-view.js";
import type { PendingMessage } from "../client/pending.js";
import { visible, type Suggestion } from "../core/index.js";
import { filesView } from "./file-view.js";
import { icons } from "./icons.js";
import { t } from "./texts.js";

export function emptyView(
  heading: string,
  suggestions: readonly string[],
  choose: (text: string) => void,
): TemplateResult {
  return html`<div class="empty" part="empty">
    <h2>${heading || t("greeting")}</h2>
    ${suggestions.length > 0
      ? html`<ul>
          ${suggestions.map(
            (text) => html`<li>
              <button class="suggestion" part="suggestion" @click=${() => choose(text)}>${text}</button>
            </li>`,
          )}
        </ul>`
      : nothing}
  </div>`;
}

/** What may be said next, below the last answer. */
export function suggestionsView(
  last: MessageView | undefined,
  choose: (text: string) => void,
): TemplateResult | typeof nothing {
  if (last?.role !== "assistant" || last.status.type !== "complete") return nothing;
  const offered = suggestionsOf(last.metadata?.suggestions);
  if (offered.length === 0) return nothing;
  return html`<ul class="next" aria-label=${t("suggestions")}>
    ${offered.map(
      ({ prompt, title }) => html`<li>
        <button class="suggestion" part="suggestion" title=${title ? visible(prompt) : nothing} dir="auto" @click=${() => choose(prompt)}>
          ${visible(title || prompt)}
        </button>
      </li>`,
    )}
  </ul>`;
}

/** A model's words, through an adapter of the site: whatever is no suggestion is left out. */
function suggestionsOf(value: unknown): Suggestion[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is Suggestion => typeof (item as Suggestion | null)?.prompt === "string").slice(0, 6);
}

export function skeletonView(): TemplateResult {
  return html`<div class="skeleton" role="img" aria-label=${t("loading")}>
    <i></i><i></i><i></i><i></i>
  </div>`;
}

export function refusalView(message: string): TemplateResult {
  return html`<div class="empty" role="alert">${icons.alert(28)}<p>${message}</p></div>`;
}

/** A message on its way, or refused with what can be done about it. */
export function pendingView(
  item: PendingMessage,
  client: Client | null,
  actions: { again: () => void; discard: () => void },
): TemplateResult {
  const text = item.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return html`<div class="pending ${item.error ? "refused" : ""}" role="listitem">
    ${filesView(item.parts, client)}
    ${text ? html`<div class="bubble" part="user-message" dir="auto">${text}</div>` : nothing}
    ${item.error
      ? html`<div class="refusal" role="alert">
          ${icons.alert(15)}<span>${t("notSent")}: ${item.error.message}</span>
          <button @click=${actions.again}>${t("sendAgain")}</button>
          <button @click=${actions.discard}>${t("edit")}</button>
        </div>`
      : html`<span class="hidden-text">${t("sending")}</span>`}
  </div>`;
}

export function dropView(): TemplateResult {
  return html`<div class="drop" part="drop" aria-hidden="true"><span>${icons.clip(22)}${t("dropFiles")}</span></div>`;
}

/** What a thread shows besides its messages. */
import { html, nothing, type TemplateResult } from "lit";
import type { PendingMessage } from "../client/pending.js";
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
  actions: { again: () => void; discard: () => void },
): TemplateResult {
  const text = item.parts.map((part) => (part.type === "text" ? part.text : (part.filename ?? ""))).join("");
  return html`<div class="pending ${item.error ? "refused" : ""}" role="listitem">
    <div class="bubble" part="user-message" dir="auto">${text}</div>
    ${item.error
      ? html`<div class="refusal" role="alert">
          ${icons.alert(15)}<span>${t("notSent")}: ${item.error.message}</span>
          <button @click=${actions.again}>${t("sendAgain")}</button>
          <button @click=${actions.discard}>${t("edit")}</button>
        </div>`
      : html`<span class="hidden-text">${t("sending")}</span>`}
  </div>`;
}

/** Arguments and results as people read them. */
import { html, nothing, type TemplateResult } from "lit";
import {
  parseJson,
  parsePartial,
  showJson,
  visible,
  type Json,
  type JsonObject,
} from "../core/index.js";

/** Longer values are cut in the view; the raw view scrolls. */
const LONGEST = 4_000;

/** `refund_order` as "Refund order". */
export function toolTitle(name: string): string {
  const words = visible(name).replace(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The arguments so far; digits of big integers are kept once the text is whole. */
export function readArgs(text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isObject(value)) return value;
  } catch {
    // Still arriving.
  }
  return parsePartial(text)?.value ?? {};
}

/** A few values for a line beside the title. */
export function summary(args: JsonObject): string {
  return Object.values(args)
    .filter((value) => typeof value !== "object" && value !== "" && value !== null)
    .slice(0, 3)
    .map((value) => visible(String(value)))
    .join(" · ");
}

/** Names and values, one a line; anything but an object of plain values as JSON. */
export function valueView(value: Json): TemplateResult | typeof nothing {
  if (value === null) return nothing;
  if (!isObject(value)) return html`<div class="text" dir="auto">${cut(showJson(value))}</div>`;
  const entries = Object.entries(value);
  if (entries.length === 0) return nothing;
  return html`<dl>
    ${entries.map(
      ([name, item]) => html`<dt>${toolTitle(name)}</dt>
        <dd dir="auto">
          ${isNested(item)
            ? html`<pre tabindex="0">${cut(showJson(item))}</pre>`
            : cut(showJson(item))}
        </dd>`,
    )}
  </dl>`;
}

function isNested(value: Json): boolean {
  return Array.isArray(value) ? value.some((item) => typeof item === "object") : isObject(value);
}

function isObject(value: Json): value is JsonObject {
  const isRaw = (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRaw?.(value);
}

function cut(text: string): string {
  return visible(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

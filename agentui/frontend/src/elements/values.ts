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

/** Longer values are cut in the view; the raw view scrolls. Where somebody decides, nothing is. */
const LONGEST = 4_000;

const MOST = 100;

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
    .filter((value) => value !== "" && value !== null && !Array.isArray(value) && !isObject(value))
    .slice(0, 3)
    .map((value) => visible(showJson(value)))
    .join(" · ");
}

/** Names and values, one a line; anything but an object of plain values as JSON. */
export function valueView(value: Json, longest = LONGEST): TemplateResult | typeof nothing {
  if (value === null) return nothing;
  if (Array.isArray(value) && value.length > 0 && !isNested(value)) {
    return html`<ul>${value.slice(0, MOST).map((item) => html`<li dir="auto">${cut(showJson(item), longest)}</li>`)}${value.length > MOST && longest < Infinity ? html`<li>…</li>` : nothing}</ul>`;
  }
  if (!isObject(value)) return html`<div class="text" dir="auto">${cut(showJson(value), longest)}</div>`;
  const entries = Object.entries(value);
  if (entries.length === 0) return nothing;
  // On one line: white space inside <dd> is shown.
  return html`<dl>${entries.map(([name, item]) => html`<dt>${toolTitle(name)}</dt><dd dir="auto">${plainView(item, longest)}</dd>`)}</dl>`;
}

function plainView(value: Json, longest: number): TemplateResult | string {
  const text = cut(showJson(value), longest);
  return isNested(value) ? html`<pre tabindex="0">${text}</pre>` : text;
}

function isNested(value: Json): boolean {
  return Array.isArray(value) ? value.some((item) => typeof item === "object") : isObject(value);
}

function isObject(value: Json): value is JsonObject {
  const isRaw = (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRaw?.(value);
}

function cut(text: string, longest: number): string {
  return visible(text.length > longest ? `${text.slice(0, longest)}…` : text);
}

/** JSON as it travels: exact numbers in, readable text out. */
import type { Json } from "./types.js";

const LONG_NUMBER = /\d{16,}/;

type RawJSON = { rawJSON?: (text: string) => Json };
type Reviver = (key: string, value: Json, context?: { source?: string }) => Json;

/**
 * A received frame. Integers beyond 2^53 keep their digits where the browser can hold them
 * (`JSON.rawJSON`): they are written out again exactly, and never computed with.
 */
export function parseJson(text: string): Json {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as Json;
  const rawJSON = (JSON as RawJSON).rawJSON;
  if (rawJSON === undefined) return JSON.parse(text) as Json;
  const revive: Reviver = (_key, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? rawJSON(context?.source ?? "")
      : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as Json;
}

/** A value as indented JSON; text is shown as it is. */
export function showJson(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/**
 * The same JSON text with line breaks and indentation, digit for digit: it is never parsed, so
 * unfinished text and integers of any size are shown as they stand.
 */
export function indentJson(text: string): string {
  let out = "";
  let depth = 0;
  let inString = false;
  const newline = (): string => `\n${"  ".repeat(Math.max(0, depth))}`;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (inString) {
      out += char;
      if (char === "\\") out += text[++i] ?? "";
      else if (char === '"') inString = false;
      continue;
    }
    switch (char) {
      case '"':
        inString = true;
        out += char;
        break;
      case "{":
      case "[": {
        const rest = /^\s*[}\]]/.exec(text.slice(i + 1, i + 20));
        if (rest) {
          out += char + rest[0].trim();
          i += rest[0].length;
        } else {
          depth++;
          out += char + newline();
        }
        break;
      }
      case "}":
      case "]":
        depth--;
        out += newline() + char;
        break;
      case ",":
        out += char + newline();
        break;
      case ":":
        out += ": ";
        break;
      default:
        if (!/\s/.test(char)) out += char;
    }
  }
  return out;
}

/** The text as the server stores it: without NUL, and U+FFFD for half a surrogate pair. */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\ufffd");
}

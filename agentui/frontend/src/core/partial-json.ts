/**
 * The value of a JSON object that is still arriving, for cards that show arguments as they come.
 * Strings and containers are closed; a key, a literal or a minus sign that is not whole is left out.
 */
import type { Json, JsonObject } from "./types.js";

export interface PartialObject {
  value: JsonObject;
  state: "complete" | "partial";
}

/** The object so far, or null when the text cannot be the beginning of a JSON object. */
export function parsePartial(text: string): PartialObject | null {
  if (text.trim() === "") return { value: {}, state: "partial" };
  const reader = new Reader(text);
  try {
    const value = reader.value();
    if (!isObject(value)) return null;
    reader.space();
    if (!reader.cut && reader.at < text.length) return null;
    return { value, state: reader.cut ? "partial" : "complete" };
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

class Unreadable extends Error {}

/** Marks a value that has not begun to have one. */
const NOTHING = Symbol("nothing");
type Maybe = Json | typeof NOTHING;

class Reader {
  at = 0;
  cut = false;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  value(): Maybe {
    this.space();
    const char = this.#text[this.at];
    if (char === undefined) return this.#end();
    if (char === "{") return this.#object();
    if (char === "[") return this.#array();
    if (char === '"') return this.#string();
    if (char === "-" || (char >= "0" && char <= "9")) return this.#number();
    return this.#literal();
  }

  space(): void {
    while (/\s/.test(this.#text[this.at] ?? "x")) this.at++;
  }

  #end(): typeof NOTHING {
    this.cut = true;
    return NOTHING;
  }

  #object(): JsonObject {
    const object: JsonObject = {};
    this.at++;
    for (let first = true; ; first = false) {
      this.space();
      if (this.#ended()) return object;
      if (this.#text[this.at] === "}" && first) return this.at++, object;
      if (this.#text[this.at] !== '"') throw new Unreadable();
      const key = this.#string();
      if (this.cut) return object;
      this.space();
      if (this.#ended()) return object;
      if (this.#text[this.at++] !== ":") throw new Unreadable();
      const value = this.value();
      if (key === "__proto__" || key === "constructor") throw new Unreadable();
      if (value !== NOTHING) object[key] = value;
      if (this.cut || this.#closes("}")) return object;
    }
  }

  #array(): Json[] {
    const array: Json[] = [];
    this.at++;
    for (let first = true; ; first = false) {
      this.space();
      if (this.#ended()) return array;
      if (this.#text[this.at] === "]" && first) return this.at++, array;
      const value = this.value();
      if (value !== NOTHING) array.push(value);
      if (this.cut || this.#closes("]")) return array;
    }
  }

  /** After a value: true at the closing sign or the end of the text, false at a comma. */
  #closes(sign: string): boolean {
    this.space();
    if (this.#ended()) return true;
    const char = this.#text[this.at++];
    if (char === sign) return true;
    if (char === ",") return false;
    throw new Unreadable();
  }

  #ended(): boolean {
    if (this.at < this.#text.length) return false;
    this.cut = true;
    return true;
  }

  #string(): string {
    const start = this.at++;
    while (this.at < this.#text.length) {
      const char = this.#text[this.at++];
      if (char === "\\") this.at++;
      else if (char === '"') return parse(this.#text.slice(start, this.at)) as string;
    }
    this.cut = true;
    // A cut escape says nothing yet; leave it off.
    const open = this.#text.slice(start).replace(/(^|[^\\])((?:\\\\)*)\\(u[0-9a-fA-F]{0,3})?$/, "$1$2");
    return parse(`${open}"`) as string;
  }

  #number(): Maybe {
    const match = /^-?[0-9.eE+-]*/.exec(this.#text.slice(this.at)) as RegExpExecArray;
    this.at += match[0].length;
    if (this.at < this.#text.length) return parse(match[0]);
    this.cut = true;
    const whole = /^-?\d+(\.\d+)?([eE][+-]?\d+)?/.exec(match[0]);
    return whole ? parse(whole[0]) : NOTHING;
  }

  #literal(): Maybe {
    const rest = this.#text.slice(this.at);
    for (const [word, value] of [["true", true], ["false", false], ["null", null]] as const) {
      if (rest.startsWith(word)) return (this.at += word.length), value;
      if (word.startsWith(rest)) return (this.at = this.#text.length), this.#end();
    }
    throw new Unreadable();
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Unreadable();
  }
}

function isObject(value: Maybe): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

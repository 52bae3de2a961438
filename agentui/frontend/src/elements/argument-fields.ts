/** Arguments that a person may change before they allow a call, as fields; and what they made of them. */
import { html, type TemplateResult } from "lit";
import { parseJson, showJson, type Json, type JsonObject } from "../core/index.js";
import { t } from "./texts.js";
import { toolTitle } from "./values.js";

export function argumentFields(args: JsonObject, names: readonly string[], wrong: string): TemplateResult {
  return html`<div class="fields">
    ${names.map((name) => {
      const value = args[name] ?? null;
      const id = `argument-${name}`;
      const isWrong = name === wrong;
      return html`<label for=${id}>${toolTitle(name)}</label>
        ${typeof value === "boolean"
          ? html`<input type="checkbox" id=${id} name=${name} ?checked=${value} />`
          : html`<textarea
              id=${id}
              name=${name}
              class="field"
              rows="1"
              dir="auto"
              aria-invalid=${isWrong}
              aria-describedby=${isWrong ? "wrong" : ""}
              .value=${value === null ? "" : showJson(value)}
            ></textarea>`}
        ${isWrong ? html`<p id="wrong" class="wrong" role="alert">${t("badValue")}</p>` : ""}`;
    })}
  </div>`;
}

export class BadArgument extends Error {
  constructor(readonly argument: string) {
    super(argument);
  }
}

/** The arguments as JSON text with what was typed, digit for digit. Throws `BadArgument`. */
export function changedArguments(argsText: string, names: readonly string[], data: FormData): string {
  const args = parseJson(argsText) as JsonObject;
  const changed: JsonObject = { ...args };
  let isChanged = false;
  for (const name of names) {
    const before = args[name] ?? null;
    const value = read(name, before, data);
    if (JSON.stringify(value) === JSON.stringify(before)) continue;
    changed[name] = value;
    isChanged = true;
  }
  return isChanged ? JSON.stringify(changed) : argsText;
}

function read(name: string, before: Json, data: FormData): Json {
  if (typeof before === "boolean") return data.get(name) !== null;
  const text = String(data.get(name) ?? "");
  if (typeof before === "string") return text;
  if (text.trim() === "") return null;
  try {
    return parseJson(text);
  } catch {
    if (before === null) return text;
    throw new BadArgument(name);
  }
}

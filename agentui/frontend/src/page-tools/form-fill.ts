/**
 * Filling a form as a person would: values are set, `input` and `change` are fired, and the browser's
 * own rules say what is wrong. Either all values fit or nothing is changed.
 */
import type { Json, JsonObject } from "../core/index.js";
import { fieldsOf, labelOf, type Control, type Field } from "./form-fields.js";

/** What stands in the form's fields afterwards, and what it still lacks. */
export interface Filled {
  values: JsonObject;
  problems: Record<string, string>;
}

/** Throws with what the agent can act on. */
export function fillForm(form: HTMLFormElement, args: JsonObject): Filled {
  const fields = new Map(fieldsOf(form).map((field) => [field.name, field]));
  for (const [name, value] of Object.entries(args)) {
    const field = fields.get(name);
    if (!field) throw new Error(`The form has no field "${name}". It has: ${[...fields.keys()].join(", ")}.`);
    checkFits(field, value);
  }
  for (const [name, value] of Object.entries(args)) write(fields.get(name) as Field, value);
  return readForm(form);
}

export function readForm(form: HTMLFormElement): Filled {
  const values: JsonObject = {};
  const problems: Record<string, string> = {};
  for (const field of fieldsOf(form)) {
    values[field.name] = valueOf(field);
    const wrong = field.controls.find((control) => !control.checkValidity());
    if (wrong) problems[labelOf(field)] = wrong.validationMessage;
  }
  return { values, problems };
}

function checkFits({ name, controls }: Field, value: Json): void {
  const first = controls[0] as Control;
  const isChoice = first instanceof HTMLSelectElement || controls.length > 1 || first.type === "radio";
  if (!isChoice) return;
  const offered = first instanceof HTMLSelectElement ? [...first.options].map((o) => o.value) : controls.map((c) => c.value);
  for (const wanted of texts(value)) {
    if (!offered.includes(wanted)) throw new Error(`"${name}" takes one of: ${offered.filter(Boolean).join(", ")}.`);
  }
}

function write({ controls }: Field, value: Json): void {
  const wanted = texts(value);
  for (const control of controls) {
    if (control instanceof HTMLSelectElement) {
      for (const option of control.options) option.selected = wanted.includes(option.value);
    } else if (control.type === "radio" || control.type === "checkbox") {
      const box = control as HTMLInputElement;
      box.checked = typeof value === "boolean" ? value : wanted.includes(box.value);
    } else {
      control.value = wanted[0] ?? "";
    }
    control.dispatchEvent(new Event("input", { bubbles: true }));
    control.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

function valueOf({ controls }: Field): Json {
  const first = controls[0] as Control;
  if (first instanceof HTMLSelectElement) {
    const chosen = [...first.selectedOptions].map((option) => option.value);
    return first.multiple ? chosen : (chosen[0] ?? "");
  }
  if (first.type !== "radio" && first.type !== "checkbox") return first.value;
  const boxes = controls as HTMLInputElement[];
  if (first.type === "checkbox" && boxes.length === 1) return (first as HTMLInputElement).checked;
  const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
  return first.type === "radio" ? (chosen[0] ?? "") : chosen;
}

function texts(value: Json): string[] {
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

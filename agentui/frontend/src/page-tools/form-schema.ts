/** The JSON Schema of a form, from its fields: types, labels, help, options, limits. */
import type { JsonObject } from "../core/index.js";
import { fieldsOf, helpOf, labelOf, labelTexts, tidy, type Control, type Field } from "./form-fields.js";

/** A longer list is no help to a model. */
const MOST_OPTIONS = 200;

/**
 * With `isPartial` no field is required: the agent fills some, the person the others. Required are
 * otherwise the fields that the form itself requires and that are still empty.
 */
export function formSchema(form: HTMLFormElement, { isPartial }: { isPartial: boolean }): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const field of fieldsOf(form)) {
    properties[field.name] = fieldSchema(field);
    if (!isPartial && isMissing(field)) required.push(field.name);
  }
  return { type: "object", properties, required, additionalProperties: false };
}

function isMissing({ controls }: Field): boolean {
  const isRequired = controls.some((control) => control.required);
  return isRequired && controls.every((control) => control.validity?.valueMissing ?? control.value === "");
}

function fieldSchema(field: Field): JsonObject {
  const schema = valueSchema(field);
  const words = [labelOf(field), helpOf(field), schema["description"]];
  return { ...schema, description: words.filter(Boolean).join(". ") };
}

function valueSchema({ controls }: Field): JsonObject {
  const first = controls[0] as Control;
  if (first instanceof HTMLSelectElement) {
    const items = choices([...first.options].filter((option) => !option.disabled).map((o) => [o.value, o.text]));
    return first.multiple ? { type: "array", items } : items;
  }
  if (first.type === "radio") return choices(controls.map(valueAndLabel));
  if (first.type === "checkbox") {
    if (controls.length === 1) return { type: "boolean" };
    return { type: "array", items: choices(controls.map(valueAndLabel)) };
  }
  return first.type === "number" || first.type === "range" ? numberSchema(first) : textSchema(first);
}

function valueAndLabel(control: Control): [string, string] {
  return [control.value, labelTexts(control)[0] ?? control.value];
}

/** Values, with what a person reads where that is something else. */
function choices(pairs: (readonly [string, string])[]): JsonObject {
  const offered = pairs.filter(([value]) => value !== "").slice(0, MOST_OPTIONS);
  const schema: JsonObject = { type: "string", enum: offered.map(([value]) => value) };
  const named = offered.filter(([value, label]) => tidy(label) !== value);
  if (named.length > 0) {
    schema["description"] = named.map(([value, label]) => `${value}: ${tidy(label)}`).join("; ");
  }
  return schema;
}

function numberSchema(control: Exclude<Control, HTMLSelectElement>): JsonObject {
  const { min, max, step } = control as HTMLInputElement;
  const isWhole = step !== "any" && Number.isInteger(Number(step || 1));
  return {
    type: isWhole ? "integer" : "number",
    ...(min === "" ? {} : { minimum: Number(min) }),
    ...(max === "" ? {} : { maximum: Number(max) }),
  };
}

const FORMATS: Record<string, string> = {
  date: "YYYY-MM-DD",
  time: "HH:MM",
  "datetime-local": "YYYY-MM-DDTHH:MM",
  month: "YYYY-MM",
  week: "YYYY-Www",
  color: "#rrggbb",
  email: "an e-mail address",
  url: "an address with https://",
};

function textSchema(control: Exclude<Control, HTMLSelectElement>): JsonObject {
  const schema: JsonObject = { type: "string" };
  if (control.maxLength > 0) schema["maxLength"] = control.maxLength;
  if (control.minLength > 0) schema["minLength"] = control.minLength;
  const format = FORMATS[control.type];
  if (format) schema["description"] = format;
  return schema;
}

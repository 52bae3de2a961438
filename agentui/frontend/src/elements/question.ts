/**
 * Reads a question out of a human tool's arguments. The names are those that models use by
 * themselves: the text in `question`, `prompt`, `message` or `title`; offers in `choices` or
 * `options` (with `multiple`); several answers at once by a JSON Schema of an object in `schema`.
 */
import type { Json, JsonObject } from "../core/index.js";
import { t } from "./texts.js";

export interface Choice {
  label: string;
  value: Json;
}

export interface Field {
  name: string;
  label: string;
  type: "text" | "number" | "date" | "email" | "boolean";
  required: boolean;
  choices: Choice[];
}

export interface Question {
  text: string;
  choices: Choice[];
  multiple: boolean;
  fields: Field[];
  /** The answer is an object of the fields; otherwise it is the one field's text. */
  isForm: boolean;
}

export function questionOf(args: JsonObject): Question {
  const text = firstText(args, ["question", "prompt", "message", "text", "title"]);
  const choices = choicesOf(args["choices"] ?? args["options"]);
  const schema = asObject(args["schema"]) ?? asObject(args["fields"]);
  const properties = schema && (asObject(schema["properties"]) ?? schema);
  const isForm = properties !== null && Object.keys(properties).length > 0;
  const fields = isForm ? fieldsOf(properties, schema?.["required"]) : [answerField()];
  return {
    text,
    choices: isForm ? [] : choices,
    multiple: args["multiple"] === true,
    fields: choices.length > 0 && !isForm ? [] : fields,
    isForm,
  };
}

/** The answer a filled form stands for, or null when there is none. */
export function readAnswer(question: Question, data: FormData): Json {
  if (question.choices.length > 0) {
    const picked = data.getAll("choice").map((index) => question.choices[Number(index)]?.value ?? null);
    return picked.length > 0 ? picked : null;
  }
  if (!question.isForm) {
    const text = String(data.get("answer") ?? "").trim();
    return text === "" ? null : text;
  }
  const answer: JsonObject = {};
  for (const field of question.fields) {
    const value = data.get(field.name);
    if (field.type === "boolean") answer[field.name] = value !== null;
    else if (value !== null && value !== "") answer[field.name] = typed(field, String(value));
  }
  return answer;
}

function typed(field: Field, value: string): Json {
  if (field.choices.length > 0) {
    return field.choices.find((choice) => choice.label === value)?.value ?? value;
  }
  return field.type === "number" ? Number(value) : value;
}

function answerField(): Field {
  return { name: "answer", label: t("answer"), type: "text", required: true, choices: [] };
}

function fieldsOf(properties: JsonObject, required: Json | undefined): Field[] {
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, value]) => {
    const schema = asObject(value) ?? {};
    const label = firstText(schema, ["title", "description"]) || name.replaceAll("_", " ");
    return { name, label, type: typeOf(schema), required: names.includes(name), choices: choicesOf(schema["enum"]) };
  });
}

function typeOf(schema: JsonObject): Field["type"] {
  if (schema["type"] === "boolean") return "boolean";
  if (schema["type"] === "number" || schema["type"] === "integer") return "number";
  if (schema["format"] === "date" || schema["format"] === "email") return schema["format"];
  return "text";
}

function choicesOf(value: Json | undefined): Choice[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) => {
    const object = asObject(item);
    if (object === null) return { label: String(item), value: item };
    const label = firstText(object, ["label", "title", "text", "name", "value", "id"]);
    return { label, value: object["value"] ?? object["id"] ?? label };
  });
}

function firstText(object: JsonObject, names: string[]): string {
  for (const name of names) {
    const value = object[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return "";
}

function asObject(value: Json | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
}

/** The short way to declare parameters, and the JSON Schema it stands for. */
import type { Json, JsonObject } from "../core/index.js";

export type ParameterType =
  | "string"
  | "number"
  | "boolean"
  | "object"
  | "string[]"
  | "number[]"
  | "boolean[]"
  | "object[]";

export interface Parameter {
  name: string;
  /** Default "string". */
  type?: ParameterType;
  description?: string;
  /** Default true. */
  required?: boolean;
  /** For strings only. */
  enum?: readonly string[];
  /** The fields of an object. */
  attributes?: readonly Parameter[];
}

/** The JSON Schema of an object, from either form; nothing declared means no arguments. */
export function toJsonSchema(parameters: JsonObject | readonly Parameter[] | undefined): JsonObject {
  if (parameters === undefined) return { type: "object", properties: {} };
  if (isList(parameters)) return objectSchema(parameters);
  return { type: "object", properties: {}, ...parameters };
}

function isList(value: JsonObject | readonly Parameter[]): value is readonly Parameter[] {
  return Array.isArray(value);
}

function objectSchema(parameters: readonly Parameter[]): JsonObject {
  const properties: JsonObject = {};
  for (const parameter of parameters) properties[parameter.name] = schemaOf(parameter);
  const required: Json = parameters.filter((item) => item.required !== false).map((item) => item.name);
  return { type: "object", properties, required };
}

function schemaOf(parameter: Parameter): JsonObject {
  const { type = "string", description } = parameter;
  const schema: JsonObject = type.endsWith("[]")
    ? { type: "array", items: plain(type.slice(0, -2), parameter) }
    : plain(type, parameter);
  if (description !== undefined) schema["description"] = description;
  return schema;
}

function plain(type: string, { enum: choices, attributes }: Parameter): JsonObject {
  if (type === "object" && attributes) return objectSchema(attributes);
  if (type === "string" && choices) return { type, enum: [...choices] };
  return { type };
}

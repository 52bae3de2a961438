/** The short way to declare parameters, and the JSON Schema it stands for. */
import type { Json, JsonObject } from "../core/index.js";
import type { Parameters } from "./infer.js";

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
export function toJsonSchema(parameters: Parameters | undefined): JsonObject {
  if (parameters === undefined) return { type: "object", properties: {} };
  if (isList(parameters)) return objectSchema(parameters);
  return { type: "object", properties: {}, ...(parameters as JsonObject) };
}

/**
 * The short list for the schema of an object, as far as it can say the same: a nullable type is one
 * that is not required, an integer is a number. Throws `TypeError` for arrays in arrays.
 */
export function fromJsonSchema(schema: JsonObject): Parameter[] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries((schema["properties"] ?? {}) as Record<string, JsonObject>).map(([name, field]) =>
    parameterOf(name, field, required.includes(name)),
  );
}

function parameterOf(name: string, field: JsonObject, isRequired: boolean): Parameter {
  const { type, isNullable } = plainType(field["type"]);
  const isArray = type === "array";
  const inner = isArray ? ((field["items"] ?? {}) as JsonObject) : field;
  const innerType = plainType(inner["type"]).type;
  if (isArray && innerType === "array") throw new TypeError(`"${name}": nested arrays have no short form.`);
  const parameter: Parameter = { name, type: `${innerType}${isArray ? "[]" : ""}` as ParameterType };
  if (typeof field["description"] === "string") parameter.description = field["description"];
  if (!isRequired || isNullable) parameter.required = false;
  if (innerType === "string" && Array.isArray(inner["enum"])) parameter.enum = inner["enum"].map(String);
  if (innerType === "object" && inner["properties"]) parameter.attributes = fromJsonSchema(inner);
  return parameter;
}

function plainType(type: Json | undefined): { type: string; isNullable: boolean } {
  const all = (Array.isArray(type) ? type : [type ?? "string"]).map(String);
  const first = all.find((one) => one !== "null") ?? "string";
  return { type: first === "integer" ? "number" : first, isNullable: all.includes("null") };
}

function isList(value: Parameters): value is readonly Parameter[] {
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

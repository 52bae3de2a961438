/**
 * Checks arguments against a JSON Schema before a handler sees them. Knows what tool schemas use:
 * type, enum, const, properties, required, additionalProperties, items, the size and pattern
 * limits, anyOf, oneOf, allOf and local `$ref`. Unknown keywords are passed over.
 */
import type { Json, JsonObject } from "../core/index.js";

const MAX_PROBLEMS = 5;
const MAX_DEPTH = 64;

/** What is wrong, one sentence each; empty when the value fits. */
export function problems(value: Json, schema: JsonObject): string[] {
  const found: string[] = [];
  check(value, schema, "", { root: schema, found, depth: 0 });
  return found.slice(0, MAX_PROBLEMS);
}

interface Place {
  root: JsonObject;
  found: string[];
  depth: number;
}

function check(value: Json, schema: Json, path: string, place: Place): void {
  if (schema === false) return void place.found.push(`${named(path)} is not allowed`);
  if (!isObject(schema) || place.depth > MAX_DEPTH) return;
  const inner = { ...place, depth: place.depth + 1 };
  if (typeof schema["$ref"] === "string") {
    check(value, resolve(schema["$ref"], place.root), path, inner);
  }
  const complain = (text: string): void => void place.found.push(`${named(path)} ${text}`);
  const types = list(schema["type"]);
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    return complain(`must be ${types.join(" or ")}`);
  }
  const choices = schema["enum"];
  if (Array.isArray(choices) && !choices.some((choice) => same(choice, value))) {
    complain(`must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`);
  }
  if ("const" in schema && !same(schema["const"] as Json, value)) {
    complain(`must be ${JSON.stringify(schema["const"])}`);
  }
  if (typeof value === "string") checkText(value, schema, complain);
  else if (typeof value === "number") checkNumber(value, schema, complain);
  else if (Array.isArray(value)) checkArray(value, schema, path, inner, complain);
  else if (isObject(value)) checkObject(value, schema, path, inner);
  checkCombined(value, schema, path, inner, complain);
}

type Complain = (text: string) => void;

function checkText(value: string, schema: JsonObject, complain: Complain): void {
  const length = [...value].length;
  if (length < number(schema["minLength"], 0)) complain(`needs ${schema["minLength"]} characters`);
  if (length > number(schema["maxLength"], Infinity)) {
    complain(`may have ${schema["maxLength"]} characters`);
  }
  if (typeof schema["pattern"] === "string" && !matches(schema["pattern"], value)) {
    complain(`must match ${schema["pattern"]}`);
  }
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true; // a pattern this browser does not know refuses nothing
  }
}

function checkNumber(value: number, schema: JsonObject, complain: Complain): void {
  if (value < number(schema["minimum"], -Infinity)) complain(`must be at least ${schema["minimum"]}`);
  if (value > number(schema["maximum"], Infinity)) complain(`must be at most ${schema["maximum"]}`);
  if (value <= number(schema["exclusiveMinimum"], -Infinity)) {
    complain(`must be more than ${schema["exclusiveMinimum"]}`);
  }
  if (value >= number(schema["exclusiveMaximum"], Infinity)) {
    complain(`must be less than ${schema["exclusiveMaximum"]}`);
  }
}

function checkArray(value: Json[], schema: JsonObject, path: string, place: Place, complain: Complain): void {
  if (value.length < number(schema["minItems"], 0)) complain(`needs ${schema["minItems"]} items`);
  if (value.length > number(schema["maxItems"], Infinity)) complain(`may have ${schema["maxItems"]} items`);
  if (schema["items"] === undefined) return;
  value.forEach((item, index) => check(item, schema["items"] as Json, `${path}[${index}]`, place));
}

function checkObject(value: JsonObject, schema: JsonObject, path: string, place: Place): void {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  for (const name of list(schema["required"])) {
    if (!Object.hasOwn(value, name)) place.found.push(`${named(join(path, name))} is missing`);
  }
  for (const [name, item] of Object.entries(value)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : schema["additionalProperties"];
    if (inner !== undefined) check(item, inner, join(path, name), place);
  }
}

function checkCombined(value: Json, schema: JsonObject, path: string, place: Place, complain: Complain): void {
  const fits = (option: Json): boolean => {
    const found: string[] = [];
    check(value, option, path, { ...place, found });
    return found.length === 0;
  };
  for (const option of array(schema["allOf"])) check(value, option, path, place);
  const any = array(schema["anyOf"]);
  if (any.length > 0 && !any.some(fits)) complain("fits none of the allowed forms");
  const one = array(schema["oneOf"]);
  if (one.length > 0 && one.filter(fits).length !== 1) complain("must fit exactly one of the forms");
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return typeof value === "number" && Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return typeof value === type;
  }
}

function resolve(ref: string, root: JsonObject): Json {
  if (!ref.startsWith("#")) return {};
  let node: Json = root;
  for (const segment of ref.slice(1).split("/").filter(Boolean)) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(node) || !Object.hasOwn(node, key)) return {};
    node = node[key] as Json;
  }
  return node;
}

function same(a: Json, b: Json): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function array(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function list(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  return array(value).filter((item) => typeof item === "string");
}

function number(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function named(path: string): string {
  return path === "" ? "The arguments object" : `"${path}"`;
}

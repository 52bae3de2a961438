/**
 * Operations on a JSON state: `{"type": "set" | "append-text", "path": [...], "value": ...}`.
 * The rules are assistant-stream's; the result shares what did not change with its input.
 */
import type { Json, JsonObject } from "./types.js";

export interface StateOperation {
  type: "set" | "append-text";
  path: string[];
  value: Json;
}

const UNSAFE = new Set(["__proto__", "constructor", "prototype"]);

const MAX_DEPTH = 100;

export class StateOperationError extends Error {
  override name = "StateOperationError";
}

/**
 * The state after `operations`. With `strict` a bad operation throws; without, an index beyond the
 * end appends and any other bad operation is passed over.
 */
export function applyOperations(
  state: Json,
  operations: readonly Json[],
  { strict = false }: { strict?: boolean } = {},
): Json {
  let current = state;
  for (const operation of operations) {
    try {
      current = applyOne(current, asOperation(operation), strict);
    } catch (error) {
      if (strict || !(error instanceof StateOperationError)) throw error;
    }
  }
  return current;
}

function asOperation(value: Json): StateOperation {
  if (isObject(value) && Array.isArray(value["path"])) {
    const type = value["type"];
    if (type === "set" || type === "append-text") {
      if (!("value" in value)) throw new StateOperationError("Unknown operation");
      return { type, path: value["path"].map(String), value: value["value"] as Json };
    }
  }
  throw new StateOperationError("Unknown operation");
}

function applyOne(state: Json, operation: StateOperation, strict: boolean): Json {
  if (operation.path.length > MAX_DEPTH) throw new StateOperationError("Path too long");
  for (const segment of operation.path) {
    if (UNSAFE.has(segment)) throw new StateOperationError(`Unsafe gorp path segment: ${segment}`);
  }
  return write(state, operation, 0, strict);
}

function write(node: Json | undefined, operation: StateOperation, depth: number, strict: boolean): Json {
  const { path, type, value } = operation;
  const segment = path[depth];
  if (segment === undefined) {
    if (type === "set") return value;
    if (typeof node !== "string" || typeof value !== "string") {
      throw new StateOperationError(`Expected string at path [${path.join(", ")}]`);
    }
    return node + value;
  }
  if (Array.isArray(node)) {
    const index = arrayIndex(node, segment, path, strict);
    const copy = node.slice();
    copy[index] = write(node[index], operation, depth + 1, strict);
    return copy;
  }
  if (node === null || node === undefined) {
    return { [segment]: write(undefined, operation, depth + 1, strict) };
  }
  if (!isObject(node)) throw new StateOperationError(`Invalid path: [${path.join(", ")}]`);
  const child = Object.hasOwn(node, segment) ? node[segment] : undefined;
  return { ...node, [segment]: write(child, operation, depth + 1, strict) };
}

function arrayIndex(node: Json[], segment: string, path: string[], strict: boolean): number {
  if (!/^\d{1,9}$/.test(segment)) {
    throw new StateOperationError(`Expected array index at [${path.join(", ")}]`);
  }
  const index = Number(segment);
  if (index <= node.length) return index;
  if (strict) throw new StateOperationError("Insert array index out of bounds");
  return node.length;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

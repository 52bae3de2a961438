/** One run of one tool: check the arguments, call the handler, make an outcome of whatever happens. */
import type { Json, JsonObject } from "../core/index.js";
import { toJsonSchema } from "./parameters.js";
import type { ReloadContext, Tool, ToolCallInfo, ToolContext, ToolOutcome } from "./tool.js";
import { problems } from "./validate.js";

export const DEFAULT_TIMEOUT = 30_000;

export async function runHandler(
  tool: Tool,
  toolCall: ToolCallInfo,
  { signal, ...reload }: { signal?: AbortSignal } & Partial<ReloadContext> = {},
): Promise<ToolOutcome> {
  if (signal?.aborted) return { error: "The call was cancelled before it began." };
  const args = checkArguments(tool, toolCall.argsText);
  if (typeof args === "string") return { error: args };
  const ending = new Ending(signal, tool.timeout === undefined ? DEFAULT_TIMEOUT : tool.timeout);
  const context: ToolContext = {
    signal: ending.signal,
    toolCall,
    attempt: reload.attempt ?? 1,
    resumeWith: reload.resumeWith ?? (() => {}),
  };
  try {
    return { result: plain(await Promise.race([call(tool, args, context), ending.reached])) };
  } catch (error) {
    return { error: error instanceof Error ? error.message || error.name : String(error) };
  } finally {
    ending.clear();
  }
}

async function call(tool: Tool, args: JsonObject, context: ToolContext): Promise<unknown> {
  return tool.handler?.(args, context);
}

/** The arguments, or the sentence that says what is wrong with them. */
export function checkArguments(tool: Tool, text: string): JsonObject | string {
  const args = parseArguments(text);
  if (typeof args === "string") return args;
  const wrong = problems(args, toJsonSchema(tool.parameters));
  return wrong.length > 0 ? `Invalid arguments: ${wrong.join("; ")}.` : args;
}

function parseArguments(text: string): JsonObject | string {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
    return "Invalid arguments: they are not a JSON object.";
  } catch (error) {
    return `Invalid arguments: not JSON (${(error as Error).message}).`;
  }
}

/** What JSON makes of a handler's return value; nothing at all becomes null. */
function plain(value: unknown): Json {
  const text = JSON.stringify(value);
  return text === undefined ? null : (JSON.parse(text) as Json);
}

/** Rejects when the time is over or the caller gives up, and tells the handler by its signal. */
class Ending {
  readonly reached: Promise<never>;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #clear: () => void = () => {};

  constructor(outer: AbortSignal | undefined, timeout: number | null) {
    this.reached = new Promise((_, reject) => {
      const end = (text: string): void => {
        const error = new Error(text);
        reject(error);
        this.#controller.abort(error);
      };
      const onAbort = (): void => end("The call was cancelled while it ran.");
      outer?.addEventListener("abort", onAbort, { once: true });
      if (timeout !== null) {
        this.#timer = setTimeout(() => end(`The tool did not answer within ${timeout / 1000} s.`), timeout);
      }
      this.#clear = () => outer?.removeEventListener("abort", onAbort);
    });
    this.reached.catch(() => {});
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#clear();
  }
}

/** What a page may offer to an agent. */
import type { Json, JsonObject } from "../core/index.js";
import type { ArgumentsOf, Parameters } from "./infer.js";

/** A call as a handler and a renderer see it. */
export interface ToolCallInfo {
  id: string;
  name: string;
  /** The exact text of the arguments, where integers beyond 2^53 keep their digits. */
  argsText: string;
  thread: string | null;
}

/** For handlers that leave the page: an open call is offered again after a reload. */
export interface ReloadContext {
  /** 1 at first; more when the page went away while the handler ran. */
  attempt: number;
  /**
   * What to answer if the page goes away before the handler is done; it then does not run again.
   * Call it right before navigating.
   */
  resumeWith: (result: Json) => void;
}

export interface ToolContext extends ReloadContext {
  /** Aborted when the call is cancelled or its time is over. */
  signal: AbortSignal;
  toolCall: ToolCallInfo;
}

export type RenderStatus = "in_progress" | "executing" | "complete";

export interface RenderProps<Args = JsonObject> {
  name: string;
  status: RenderStatus;
  /** Partial while `in_progress`. */
  args: Args;
  result: Json;
  isError: boolean;
  toolCall: ToolCallInfo;
  /** Answers the call, or the question whether to run it; there only while a person is asked. */
  respond?: (result: Json) => void;
}

/** A DOM node, a Lit template or text (text is never parsed as HTML). */
export type Renderer<Args = JsonObject> = (props: RenderProps<Args>) => unknown;

export type Available = boolean | "enabled" | "disabled";

/** Callbacks are written as methods, so that a tool with exact arguments is a tool. */
export interface Tool<P extends Parameters = Parameters> {
  /** `"*"` takes calls that no other tool of the page takes. */
  name: string;
  description?: string;
  /** A JSON Schema of an object, or the short list. */
  parameters?: P;
  /** The one agent that is offered this tool; left out, every agent is. */
  agent?: string;
  handler?(args: ArgumentsOf<P>, context: ToolContext): unknown;
  render?(props: RenderProps<Partial<ArgumentsOf<P>>>): unknown;
  /** Shows something and waits until it calls `respond`; there is no time limit. */
  renderAndWaitForResponse?(props: RenderProps<Partial<ArgumentsOf<P>>>): unknown;
  /**
   * The person is asked before the handler runs: `true`, or the question itself. A renderer of the
   * tool's own asks by `respond(true)` and `respond(false)`; without one, a card does.
   */
  confirm?: boolean | string | ((args: ArgumentsOf<P>) => string);
  /** False or "disabled" hides the tool from the next run and refuses a late call. */
  available?: Available;
  /** Milliseconds; default 30,000. `null` waits for ever. */
  timeout?: number | null;
  /** False: the agent is not called again for this result. */
  followUp?: boolean;
}

/** A tool as the server is told about it. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: JsonObject;
  follow_up?: boolean;
  agent?: string;
}

export type ToolOutcome = { result: Json } | { error: string };

/** True when a call of this tool is answered, or allowed, by a person. */
export function asksPerson(tool: Tool): boolean {
  return tool.renderAndWaitForResponse !== undefined || Boolean(tool.confirm);
}

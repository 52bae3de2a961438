/**
 * Folds events into a message: the twin of `agentui/core/accumulator.py`. Both are checked on the
 * same case files, so a rule that changes here changes there.
 *
 * An event for a part that does not exist, or for a nested path, is dropped.
 */
import { cleanText } from "./json.js";
import type { Path, StreamEvent } from "./events.js";
import { applyOperations } from "./state-ops.js";
import {
  ANSWERED,
  DECIDED,
  TOOL_CALL_TRANSITIONS,
  type Status,
  type ToolCallStatus,
} from "./statuses.js";
import type {
  ApprovalState,
  Json,
  JsonObject,
  Message,
  Metadata,
  Part,
  Step,
  ToolCallPart,
} from "./types.js";

const KNOWN_PARTS = new Set(["text", "reasoning", "source", "file", "data", "tool_call"]);
const SEVERITIES = new Set(["critical", "warning", "info"]);

const FINISHED: Record<string, Status> = {
  stop: { type: "complete", reason: "stop" },
  unknown: { type: "complete", reason: "unknown" },
  tool_calls: { type: "requires_action", reason: "tool_calls" },
  length: { type: "incomplete", reason: "length" },
  content_filter: { type: "incomplete", reason: "content_filter" },
  error: { type: "incomplete", reason: "error" },
};
const FINISHED_OTHERWISE: Status = { type: "incomplete", reason: "other" };

/** The message after `events`. */
export function accumulate(message: Message, events: Iterable<StreamEvent>): Message {
  const accumulator = new Accumulator(message);
  for (const event of events) accumulator.apply(event);
  return accumulator.message;
}

/**
 * Owns one message while events arrive. `message` is a value of its own each time it is read;
 * parts that did not change keep their identity, which is what rendering compares.
 */
export class Accumulator {
  #base: Message;
  #parts: Part[];
  #status: Status;
  #metadata: Metadata;
  #error: JsonObject | null;

  constructor(message: Message) {
    this.#base = message;
    this.#parts = [...(message.parts ?? [])];
    this.#status = message.status ?? { type: "running" };
    this.#metadata = message.metadata ?? {};
    this.#error = message.error ?? null;
  }

  get message(): Message {
    const message: Message = {
      ...this.#base,
      parts: this.#parts.slice(),
      status: this.#status,
      metadata: this.#metadata,
    };
    if (this.#error !== null) message.error = this.#error;
    return message;
  }

  apply(event: StreamEvent): void {
    switch (event.type) {
      case "part_start":
        return this.#onPartStart(event.part);
      case "text_delta":
        return this.#onTextDelta(event.path, event.text_delta);
      case "tool_call_args_finish":
        return this.#onCall(event.path, argsFinished);
      case "result":
        return this.#onCall(event.path, (call) => answered(call, event));
      case "part_finish":
        return this.#onPartFinish(event.path, event.provider_metadata ?? null);
      case "step_start":
        return this.#onStepStart(event.message_id ?? null);
      case "step_finish":
        return this.#onStepFinish(event);
      case "step_reset":
        return this.#onStepReset(event.start);
      case "message_finish":
        return this.#onMessageFinish(event.finish_reason);
      case "annotations":
        return this.#append("annotations", event.annotations);
      case "data":
        return this.#append("data", event.data);
      case "update_state":
        return this.#onUpdateState(event.operations);
      case "error":
        return this.#onError(event.error, event.code ?? null, event.severity ?? null);
      case "approval_request":
        return this.#onCall(event.path, (call) => asked(call, event.approval));
      case "approval_decision":
        return this.#onCall(event.path, (call) => decided(call, event.approval));
    }
  }

  /** The stream has ended: a message that still runs gets its status. */
  finish(): void {
    if (this.#status.type !== "running") return;
    const unanswered = this.#parts.some(
      (part) => part.type === "tool_call" && !ANSWERED.has(part.status ?? "streaming"),
    );
    this.#status = FINISHED[unanswered ? "tool_calls" : "unknown"] as Status;
  }

  #onPartStart(part: Part): void {
    // The place is kept also for a type of a newer server, so that later indices stay right.
    this.#parts.push(KNOWN_PARTS.has(part.type) ? part : { type: "reasoning", text: "" });
  }

  #onTextDelta(path: Path, delta: string): void {
    this.#change(path, (part) => {
      switch (part.type) {
        case "text":
        case "reasoning":
          return { ...part, text: (part.text ?? "") + delta };
        case "tool_call":
          if ((part.status ?? "streaming") !== "streaming") return part;
          return { ...part, args_text: (part.args_text ?? "") + delta };
        default:
          return part;
      }
    });
  }

  #onPartFinish(path: Path, metadata: JsonObject | null): void {
    if (metadata === null) return;
    this.#change(path, (part) =>
      part.type === "text" || part.type === "reasoning" || part.type === "tool_call"
        ? { ...part, provider_metadata: { ...part.provider_metadata, ...metadata } }
        : part,
    );
  }

  #onStepStart(messageId: string | null): void {
    const step: Step = { start: this.#parts.length, state: "started" };
    if (messageId !== null) step.message_id = messageId;
    this.#setSteps([...this.#steps, step]);
    if (this.#status.type !== "incomplete") this.#status = { type: "running" };
  }

  #onStepFinish(event: Extract<StreamEvent, { type: "step_finish" }>): void {
    const open = this.#openStep;
    const begun = open ?? { start: this.#steps.length > 0 ? this.#parts.length : 0 };
    const step: Step = {
      ...begun,
      state: "finished",
      finish_reason: event.finish_reason,
      usage: event.usage ?? null,
      is_continued: event.is_continued ?? false,
    };
    this.#setSteps([...(open ? this.#steps.slice(0, -1) : this.#steps), step]);
  }

  /** What the roundtrip put into state, data and annotations stays; it may be in use by now. */
  #onStepReset(start: number): void {
    this.#parts.length = Math.min(this.#parts.length, Math.max(0, start));
    if (this.#openStep) this.#setSteps(this.#steps.slice(0, -1));
    this.#status = { type: "running" };
    this.#error = null;
  }

  #onMessageFinish(reason: string): void {
    // An error is sticky: no finish covers it up.
    if (this.#status.type === "incomplete" && this.#status.reason === "error") return;
    this.#status = Object.hasOwn(FINISHED, reason) ? (FINISHED[reason] as Status) : FINISHED_OTHERWISE;
  }

  #onError(text: string, code: string | null, severity: string | null): void {
    this.#status = FINISHED["error"] as Status;
    const error: JsonObject = {
      code: cleanText(code || "unknown"),
      message: cleanText(text || "unknown error"),
    };
    if (severity !== null && SEVERITIES.has(severity)) error["severity"] = severity;
    this.#error = error;
  }

  #onUpdateState(operations: Json[]): void {
    const state = applyOperations(this.#metadata.state ?? null, operations);
    this.#metadata = { ...this.#metadata, state };
  }

  #append(name: "annotations" | "data", values: Json[]): void {
    this.#metadata = { ...this.#metadata, [name]: [...(this.#metadata[name] ?? []), ...values] };
  }

  #onCall(path: Path, change: (call: ToolCallPart) => Partial<ToolCallPart>): void {
    this.#change(path, (part) => (part.type === "tool_call" ? { ...part, ...change(part) } : part));
  }

  #change(path: Path, change: (part: Part) => Part): void {
    const [index] = path;
    if (path.length !== 1 || index === undefined) return;
    const part = this.#parts[index];
    if (part !== undefined) this.#parts[index] = change(part);
  }

  get #openStep(): Step | null {
    const last = this.#steps.at(-1);
    return last !== undefined && (last.state ?? "started") === "started" ? last : null;
  }

  get #steps(): Step[] {
    return this.#metadata.steps ?? [];
  }

  #setSteps(steps: Step[]): void {
    this.#metadata = { ...this.#metadata, steps };
  }
}

type Change = Partial<ToolCallPart>;
const NO_CHANGE: Change = {};

function argsFinished(call: ToolCallPart): Change {
  return statusOf(call) === "streaming" ? { status: "pending" } : NO_CHANGE;
}

/** The first result stands, and none walks around an open approval: the table says so. */
function answered(call: ToolCallPart, event: Extract<StreamEvent, { type: "result" }>): Change {
  const isError = event.is_error ?? false;
  const status = event.status ?? (isError ? "failed" : "complete");
  if (!ANSWERED.has(status)) return NO_CHANGE;
  if (!mayBecome(statusOf(call), status) && !isToldNow(call, status)) return NO_CHANGE;
  return {
    status,
    result: event.result,
    is_error: isError,
    artifact: event.artifact ?? null,
    model_content: event.model_content ?? null,
  };
}

function asked(call: ToolCallPart, approval: ApprovalState): Change {
  if (!mayBecome(statusOf(call), "awaiting_approval")) return NO_CHANGE;
  return { status: "awaiting_approval", approval };
}

function decided(call: ToolCallPart, approval: ApprovalState): Change {
  const status = DECIDED[approval.status ?? "pending"];
  if (status === undefined || statusOf(call) !== "awaiting_approval") return NO_CHANGE;
  return { status, approval };
}

function statusOf(call: ToolCallPart): ToolCallStatus {
  return call.status ?? "streaming";
}

/** A call that is answered while its arguments stream has them whole from then on. */
function mayBecome(before: ToolCallStatus, after: ToolCallStatus): boolean {
  if (TOOL_CALL_TRANSITIONS[before].includes(after)) return true;
  return before === "streaming" && TOOL_CALL_TRANSITIONS.pending.includes(after);
}

/** The decision came as an event of its own; this result carries the words for it. */
function isToldNow(call: ToolCallPart, status: ToolCallStatus): boolean {
  return (
    call.status === status &&
    (call.result ?? null) === null &&
    (status === "denied" || status === "expired" || status === "cancelled")
  );
}

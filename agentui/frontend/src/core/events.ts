/** The units of a stream; see `agentui/core/events.py` for what each one means. */
import type { ToolCallStatus } from "./statuses.js";
import type { ApprovalState, Json, JsonObject, Part } from "./types.js";

export type Path = number[];

export type StreamEvent =
  | { type: "part_start"; part: Part; path?: Path }
  | { type: "text_delta"; path: Path; text_delta: string }
  | { type: "tool_call_args_finish"; path: Path }
  | {
      type: "result";
      path: Path;
      result: Json;
      is_error?: boolean;
      artifact?: Json;
      model_content?: Json;
      status?: ToolCallStatus | null;
    }
  | { type: "part_finish"; path: Path; provider_metadata?: JsonObject | null }
  | { type: "step_start"; message_id?: string | null; path?: Path }
  | {
      type: "step_finish";
      finish_reason: string;
      usage?: JsonObject | null;
      is_continued?: boolean;
      path?: Path;
    }
  | { type: "step_reset"; start: number; path?: Path }
  | { type: "message_finish"; finish_reason: string; usage?: JsonObject | null; path?: Path }
  | { type: "annotations"; annotations: Json[]; path?: Path }
  | { type: "data"; data: Json[]; path?: Path }
  | { type: "update_state"; operations: Json[]; path?: Path }
  | { type: "error"; error: string; code?: string | null; severity?: string | null; path?: Path }
  | { type: "approval_request"; path: Path; approval: ApprovalState }
  | { type: "approval_decision"; path: Path; approval: ApprovalState };

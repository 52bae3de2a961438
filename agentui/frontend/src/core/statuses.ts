/** Every status word, and how a tool call may move; the twin of `agentui/core/statuses.py`. */

export type RunStatus = "queued" | "running" | "requires_action" | "complete" | "incomplete";

export type Reason =
  | ""
  | "stop"
  | "tool_calls"
  | "length"
  | "content_filter"
  | "cancelled"
  | "error"
  | "max_roundtrips"
  | "interrupted"
  | "other"
  | "unknown";

export type ToolCallStatus =
  | "streaming"
  | "pending"
  | "awaiting_approval"
  | "approved"
  | "executing"
  | "complete"
  | "failed"
  | "denied"
  | "expired"
  | "cancelled"
  | "interrupted";

export type ApprovalStatus =
  | "pending"
  | "approved"
  | "denied"
  | "expired"
  | "cancelled"
  | "superseded";

export type Role = "system" | "user" | "assistant" | "event";
export type ToolKind = "server" | "frontend" | "human";

export interface Status {
  type: RunStatus;
  reason?: Reason;
}

/** Tool calls that have their answer. */
export const ANSWERED: ReadonlySet<ToolCallStatus> = new Set<ToolCallStatus>([
  "complete",
  "failed",
  "denied",
  "expired",
  "cancelled",
  "interrupted",
]);

/** What a call may become; a test compares the table with the server's. */
export const TOOL_CALL_TRANSITIONS: Record<ToolCallStatus, readonly ToolCallStatus[]> = {
  streaming: ["pending", "awaiting_approval", "failed", "cancelled"],
  pending: ["awaiting_approval", "executing", "complete", "failed", "cancelled", "expired"],
  awaiting_approval: ["approved", "denied", "expired", "cancelled"],
  approved: ["executing", "complete", "failed", "cancelled"],
  executing: ["complete", "failed", "cancelled", "interrupted", "pending", "approved"],
  complete: [],
  failed: [],
  denied: [],
  expired: [],
  cancelled: [],
  interrupted: ["complete", "failed", "pending"],
};

/** What an approval's end makes of its call. */
export const DECIDED: Partial<Record<ApprovalStatus, ToolCallStatus>> = {
  approved: "approved",
  denied: "denied",
  expired: "expired",
  cancelled: "cancelled",
  superseded: "cancelled",
};

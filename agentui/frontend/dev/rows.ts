/** Rows with everything filled in, for tests and the gallery. */
import type { ApprovalRow, MessageRow, RunRow, ThreadRow, ToolCallRow } from "../src/client/index.js";

const NOW = "2026-11-14T12:00:00+00:00";

export function threadRow(id: string, fields: Partial<ThreadRow> = {}): ThreadRow {
  return {
    id,
    agent: "support",
    title: "",
    status: "regular",
    head: null,
    state: null,
    metadata: {},
    version: 1,
    created_at: NOW,
    updated_at: NOW,
    last_activity_at: NOW,
    active_run: null,
    waiting: false,
    ...fields,
  };
}

export function messageRow(id: string, fields: Partial<MessageRow> = {}): MessageRow {
  return {
    id,
    thread: "t1",
    parent: null,
    seq: 1,
    role: "assistant",
    status: { type: "complete", reason: "stop" },
    parts: [],
    error: null,
    metadata: {},
    model: null,
    usage: null,
    run: null,
    siblings: [id],
    created_at: NOW,
    ...fields,
  };
}

export function userRow(id: string, text: string, fields: Partial<MessageRow> = {}): MessageRow {
  return messageRow(id, { role: "user", parts: [{ type: "text", text }], ...fields });
}

export function callRow(id: string, fields: Partial<ToolCallRow> = {}): ToolCallRow {
  return {
    id,
    thread: "t1",
    message: "a1",
    run: "r1",
    position: 0,
    tool_call_id: `call_${id}`,
    tool_name: "find_order",
    kind: "server",
    args_text: "{}",
    status: "pending",
    result: null,
    is_error: false,
    artifact: null,
    progress: null,
    approval: null,
    claimed_by: "",
    claim_expires_at: null,
    started_at: null,
    finished_at: null,
    version: 1,
    ...fields,
  };
}

export function approvalRow(id: string, fields: Partial<ApprovalRow> = {}): ApprovalRow {
  return {
    id,
    thread: "t1",
    tool_call: "c1",
    status: "pending",
    tool_name: "refund_order",
    args_text: "{}",
    args_digest: "d1",
    required: 1,
    decided: { approve: 0, deny: 0 },
    options: [],
    editable: [],
    reason_required: false,
    expires_at: null,
    requested_at: NOW,
    decided_at: null,
    requester: "1",
    may_decide: false,
    who: "staff",
    decisions: [],
    version: 1,
    ...fields,
  };
}

export function runRow(id: string, fields: Partial<RunRow> = {}): RunRow {
  return {
    id,
    thread: "t1",
    message: "a1",
    status: "running",
    reason: "",
    roundtrips: 1,
    usage: null,
    error: null,
    created_at: NOW,
    started_at: NOW,
    finished_at: null,
    version: 1,
    ...fields,
  };
}

/** Messages as the elements show them: tool calls and approvals joined in from their rows. */
import type { Part, ToolCallPart } from "../core/index.js";
import type { ApprovalRow, MessageRow, ToolCallRow } from "./rows.js";
import type { ThreadRows } from "./thread-rows.js";

export interface ToolCallView
  extends Required<Pick<ToolCallPart, "id" | "tool_call_id" | "tool_name" | "args_text" | "kind" | "status" | "is_error">> {
  type: "tool_call";
  message: string;
  result: ToolCallPart["result"];
  artifact: ToolCallPart["artifact"];
  progress: ToolCallRow["progress"];
  approval: ApprovalRow | null;
  /** Why it was denied, when the approval's row is not here. */
  reason: string | null;
  /** A tab of this person works on it. */
  isClaimed: boolean;
}

export type PartView = Exclude<Part, ToolCallPart> | ToolCallView;

export interface MessageView extends Omit<MessageRow, "parts"> {
  parts: PartView[];
}

/** Views keep their identity while nothing in them changes; rendering compares by it. */
export class MessageViews {
  readonly #views = new Map<string, MessageView>();

  of(rows: ThreadRows, row: MessageRow): MessageView {
    const known = this.#views.get(row.id);
    if (known !== undefined) return known;
    const view: MessageView = { ...row, parts: row.parts.map((part) => viewOf(rows, row, part)) };
    this.#views.set(row.id, view);
    return view;
  }

  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#views.delete(id);
  }

  clear(): void {
    this.#views.clear();
  }
}

function viewOf(rows: ThreadRows, message: MessageRow, part: Part): PartView {
  if (part.type !== "tool_call") return part;
  const row = rows.toolCalls.get(part.id);
  return joinToolCall(message.id, part, row ?? null, approvalOf(rows, part, row));
}

/** The row rules, except for arguments that still arrive: those are ahead in the events. */
export function joinToolCall(
  message: string,
  part: ToolCallPart,
  row: ToolCallRow | null,
  approval: ApprovalRow | null,
): ToolCallView {
  const arriving = row === null || row.status === "streaming";
  return {
    type: "tool_call",
    id: part.id,
    message,
    tool_call_id: row?.tool_call_id ?? part.tool_call_id ?? "",
    tool_name: row?.tool_name ?? part.tool_name ?? "",
    args_text: (arriving ? part.args_text : undefined) ?? row?.args_text ?? "",
    kind: row?.kind ?? part.kind ?? "server",
    status: (arriving ? part.status : undefined) ?? row?.status ?? "streaming",
    result: row ? row.result : (part.result ?? null),
    is_error: row?.is_error ?? part.is_error ?? false,
    artifact: row?.artifact ?? part.artifact ?? null,
    progress: row?.progress ?? null,
    approval,
    reason: part.approval?.reason ?? null,
    isClaimed: Boolean(row?.claimed_by),
  };
}

function approvalOf(
  rows: ThreadRows,
  part: ToolCallPart,
  row: ToolCallRow | undefined,
): ApprovalRow | null {
  const id = row?.approval ?? part.approval?.id;
  return (id && rows.approvals.get(id)) || null;
}

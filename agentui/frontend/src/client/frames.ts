/** The socket protocol, version 1: what the server sends and what a client may send. */
import type { JsonObject, Part, StreamEvent } from "../core/index.js";
import type { ApprovalRow, MessageRow, RunRow, ThreadRow, ToolCallRow } from "./rows.js";

export interface SnapshotFrame {
  type: "snapshot";
  thread: ThreadRow;
  messages: MessageRow[];
  tool_calls: ToolCallRow[];
  approvals: ApprovalRow[];
  runs: RunRow[];
  version: number;
  cursors: Record<string, number>;
  has_more: boolean;
}

/** A changed message; without parts when the receiver has already folded further than the row. */
export type MessageChange = Omit<MessageRow, "parts"> & { parts?: MessageRow["parts"] };

export interface ChangesFrame {
  type: "changes";
  thread_id: string;
  from: number;
  version: number;
  thread?: ThreadRow;
  messages?: MessageChange[];
  tool_calls?: ToolCallRow[];
  approvals?: ApprovalRow[];
  runs?: RunRow[];
  /** Ids of all messages that wait for their turn. */
  queued?: string[];
  removed?: string[];
}

export interface EventsFrame {
  type: "events";
  thread_id: string;
  run: string;
  message: string;
  from: number;
  to: number;
  events: StreamEvent[];
}

export interface HelloFrame {
  type: "hello";
  protocol: number;
  user: string | number | null;
  limits?: { frame_bytes?: number };
}

export interface ErrorFrame {
  type: "error";
  id?: string;
  code: string;
  message: string;
  details?: JsonObject;
}

export type AckFrame = { type: "ack"; id: string } & Record<string, unknown>;

export type ServerFrame =
  | HelloFrame
  | SnapshotFrame
  | ChangesFrame
  | EventsFrame
  | ErrorFrame
  | AckFrame
  | { type: "thread"; thread: ThreadRow }
  | { type: "thread_deleted"; thread_id: string }
  | { type: "pong"; id?: string };

/** A part a person may send. */
export type UserPart = Extract<Part, { type: "text" | "file" }>;

export interface SendAnswer {
  thread: string;
  message: string;
  run: string | null;
  queued?: boolean;
}

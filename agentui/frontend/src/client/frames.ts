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
  /** Ids of all messages that wait, in the order they will be sent. */
  queued?: string[];
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

/** What the server takes. */
export interface Limits {
  frame_bytes: number;
  /** How much the server sends before it waits for a sign of life. */
  window_bytes: number;
  message_chars: number;
  attachment_bytes: number;
  attachment_types: string[];
}

export interface HelloFrame {
  type: "hello";
  protocol: number;
  user: string | number | null;
  limits?: Partial<Limits>;
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

/** A file that was uploaded before; the server takes its name and type from there. */
export interface UploadPart {
  type: "file";
  attachment: string;
  filename?: string | null;
  mime_type?: string;
}

/** A part a person may send. */
export type UserPart = Extract<Part, { type: "text" | "file" }> | UploadPart;

export interface SendAnswer {
  thread: string;
  message: string;
  run: string | null;
  queued?: boolean;
}

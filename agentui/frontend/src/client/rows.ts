/** The rows of a thread as the server sends them, over the socket and over REST alike. */
import type {
  ApprovalOption,
  ApprovalStatus,
  Json,
  JsonObject,
  Metadata,
  Part,
  Reason,
  Role,
  RunStatus,
  Status,
  ToolCallStatus,
  ToolKind,
} from "../core/index.js";

export interface ThreadRow {
  id: string;
  agent: string;
  title: string | null;
  status: "regular" | "archived";
  head: string | null;
  state: Json;
  metadata: JsonObject;
  version: number;
  created_at: string;
  updated_at: string;
  last_activity_at: string;
  active_run: string | null;
  waiting: boolean;
  /** The person stopped a run: their queued messages rest until they go on. */
  queue_paused?: boolean;
}

export interface AttachmentRow {
  id: string;
  thread: string | null;
  filename: string;
  mime_type: string;
  size: number;
}

export type Rating = "positive" | "negative";

export interface MessageRow {
  id: string;
  thread: string;
  parent: string | null;
  seq: number;
  role: Role;
  status: Status;
  parts: Part[];
  error: JsonObject | null;
  metadata: Metadata;
  model: string | null;
  usage: JsonObject | null;
  /** What the person said of an answer. */
  feedback?: { rating: Rating; comment: string } | null;
  run: string | null;
  siblings: string[];
  created_at: string;
  /** Present while the message is written: its parts hold the run's events up to `seq`. */
  cursor?: { run: string; seq: number } | null;
}

export interface ToolCallRow {
  id: string;
  thread: string;
  message: string;
  run: string | null;
  position: number;
  tool_call_id: string;
  tool_name: string;
  kind: ToolKind;
  args_text: string;
  status: ToolCallStatus;
  result: Json;
  is_error: boolean;
  artifact: Json;
  progress: Json;
  approval: string | null;
  /** The tab that works on a browser call; empty for none. */
  claimed_by: string;
  claim_expires_at?: string | null;
  started_at: string | null;
  finished_at: string | null;
  version: number;
}

export interface DecisionRow {
  user: string | null;
  verdict: string;
  reason: string | null;
  option: string | null;
  door: string;
  created_at: string;
}

/** An answer that the policy offers; for "always" with its reach. */
export interface PolicyOption extends ApprovalOption {
  reach?: "thread" | "user" | "agent" | null;
  /** It holds where these arguments are the same. */
  arguments?: string[];
  /** Seconds. */
  expires_after?: number | null;
}

export interface ApprovalRow {
  id: string;
  thread: string;
  tool_call: string;
  status: ApprovalStatus;
  tool_name: string;
  args_text: string;
  args_digest: string;
  required: number;
  decided: { approve: number; deny: number };
  options: PolicyOption[];
  editable: string[];
  reason_required: boolean;
  expires_at: string | null;
  requested_at: string;
  decided_at: string | null;
  requester: string | null;
  may_decide: boolean;
  who: string;
  decisions: DecisionRow[];
  version: number;
}

/** An approval in the inbox of whoever decides it. */
export interface WaitingRow extends ApprovalRow {
  agent: string;
  requester_name: string;
  /** What the person wrote. */
  asked: string;
  /** What the tool says of itself. */
  description: string;
  /** A question to staff: the form of its answer. */
  answer_schema: JsonObject | null;
  /** Its page in the admin; empty for who is not staff. */
  url: string;
}

export interface WaitingPage {
  /** Does any policy ask for this person? */
  decides: boolean;
  /** How many wait; 100 stands for any more. */
  waiting: number;
  approvals: WaitingRow[];
  /** The list in the admin; empty for who is not staff. */
  url: string;
}

export interface RunRow {
  id: string;
  thread: string;
  message: string;
  status: RunStatus;
  reason: Reason;
  roundtrips: number;
  usage: JsonObject | null;
  error: JsonObject | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  version: number;
}

/** A page of a thread's messages with everything that belongs to them. */
export interface MessagePage {
  messages: MessageRow[];
  tool_calls?: ToolCallRow[];
  approvals?: ApprovalRow[];
  runs?: RunRow[];
  has_more?: boolean;
}

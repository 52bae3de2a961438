/**
 * What a message is made of. The JSON form leaves out fields that hold their default, so every
 * optional field here has the default its comment names.
 */
import type { ApprovalStatus, Role, Status, ToolCallStatus, ToolKind } from "./statuses.js";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

interface PartBase {
  parent_id?: string | null;
}

export interface TextPart extends PartBase {
  type: "text";
  text: string;
  provider_metadata?: JsonObject | null;
}

export interface ReasoningPart extends PartBase {
  type: "reasoning";
  text: string;
  summary?: string | null;
  provider_metadata?: JsonObject | null;
}

export interface SourcePart extends PartBase {
  type: "source";
  id: string;
  /** Default "url". */
  source_type?: "url" | "document";
  url?: string | null;
  title?: string | null;
  media_type?: string | null;
  filename?: string | null;
}

export interface FilePart extends PartBase {
  type: "file";
  data: string;
  mime_type: string;
  filename?: string | null;
  source_type?: string | null;
}

export interface DataPart extends PartBase {
  type: "data";
  name: string;
  data: Json;
}

export interface ApprovalOption {
  id: string;
  kind: string;
  label?: string | null;
  description?: string | null;
  grants?: string[] | null;
}

export interface ApprovalState {
  id: string;
  /** Default "pending". */
  status?: ApprovalStatus;
  options?: ApprovalOption[];
  option?: string | null;
  reason?: string | null;
  is_automatic?: boolean;
}

export interface ToolCallPart extends PartBase {
  type: "tool_call";
  /** Ours, unique everywhere. `tool_call_id` is the provider's, unique inside its message. */
  id: string;
  tool_call_id: string;
  tool_name: string;
  /** Default "". The raw text is the truth: integers beyond 2^53 survive in it. */
  args_text?: string;
  /** Default "server". */
  kind?: ToolKind;
  /** Default "streaming". */
  status?: ToolCallStatus;
  result?: Json;
  is_error?: boolean;
  artifact?: Json;
  model_content?: Json;
  approval?: ApprovalState | null;
  provider_metadata?: JsonObject | null;
}

export type Part = TextPart | ReasoningPart | SourcePart | FilePart | DataPart | ToolCallPart;

export interface Step {
  /** Index of the first part the roundtrip wrote; default 0. */
  start?: number;
  /** Default "started". */
  state?: "started" | "finished";
  message_id?: string | null;
  finish_reason?: string | null;
  usage?: JsonObject | null;
  is_continued?: boolean;
}

export interface Metadata {
  state?: Json;
  annotations?: Json[];
  data?: Json[];
  steps?: Step[];
  custom?: JsonObject;
  /** The id of the command that sent the message. */
  command?: string;
  /** What to say next. */
  suggestions?: Suggestion[];
}

export interface Suggestion {
  prompt: string;
  title?: string | null;
}

export interface Message {
  id: string;
  role: Role;
  parts?: Part[];
  /** Default `{type: "running"}`. */
  status?: Status;
  metadata?: Metadata;
  error?: JsonObject | null;
  model?: string | null;
}

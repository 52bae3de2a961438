/**
 * One thread on this page: what it looks like, and what a person may do in it.
 *
 * A store without an id is a thread that begins with its first message. Frames of other threads
 * never reach a store's rows: everything is addressed by thread, run and message.
 */
import type { Json } from "../core/index.js";
import type { Api, Verdict } from "./api.js";
import type { Connection } from "./connection.js";
import { Emitter } from "./emitter.js";
import { AgentUIError } from "./errors.js";
import type { ChangesFrame, SendAnswer, ServerFrame, UserPart } from "./frames.js";
import { MessageViews, type MessageView, type ToolCallView } from "./message-view.js";
import { Outgoing } from "./outgoing.js";
import type { PendingMessage } from "./pending.js";
import type { ApprovalRow, Rating, RunRow, ThreadRow } from "./rows.js";
import { ThreadRows } from "./thread-rows.js";

/** A gap so soon after the last one, in ms, is one that asking from the cursor does not close. */
const RESYNC_PAUSE = 3_000;
/** Earlier messages that are fetched at once. */
const PAGE = 100;

export interface ThreadStoreOptions {
  id: string | null;
  agent: string;
  connection: Connection;
  api: Api;
  /** What goes along with every command that begins a run; asked when it is sent. */
  page?: (agent: string) => Record<string, Json>;
}

export class ThreadStore {
  readonly changed = new Emitter<void>();
  /** Called once, when the first message has made the thread. */
  readonly created = new Emitter<string>();
  readonly rows = new ThreadRows();
  /** Why the thread cannot be shown. */
  error: AgentUIError | null = null;
  loadingOlder = false;
  #id: string | null;
  readonly #agent: string;
  readonly #connection: Connection;
  readonly #api: Api;
  readonly #page: () => Record<string, Json>;
  readonly #outgoing: Outgoing;
  readonly #views = new MessageViews();
  /** The branch as it was last asked for; null once something in it has changed. */
  #shown: MessageView[] | null = null;
  readonly #unsubscribe: () => void;
  #subscription: string | null = null;
  /** The subscription is not answered yet. */
  #isAsking = false;
  #resyncedAt = 0;
  /** Operations on the state of a thread that does not exist yet: its first message takes them along. */
  #heldState: readonly Json[] = [];

  constructor(options: ThreadStoreOptions) {
    this.#id = options.id;
    this.#agent = options.agent;
    this.#connection = options.connection;
    this.#api = options.api;
    this.#page = () => options.page?.(this.agent) ?? {};
    this.#outgoing = new Outgoing(this, this.#connection, this.#agent);
    this.#unsubscribe = this.#connection.frames.subscribe((frame) => this.#onFrame(frame));
    this.#subscribe();
    this.#outgoing.resume();
  }

  get id(): string | null {
    return this.#id;
  }

  get agent(): string {
    return this.rows.thread?.agent ?? this.#agent;
  }

  get thread(): ThreadRow | null {
    return this.rows.thread;
  }

  /** True once there is something to show, also when that is an empty thread. */
  get isLoaded(): boolean {
    return this.#id === null || this.rows.version !== null;
  }

  get hasMore(): boolean {
    return this.rows.hasMore;
  }

  get messages(): readonly MessageView[] {
    return (this.#shown ??= this.rows.branch().map((row) => this.#views.of(this.rows, row)));
  }

  get queued(): MessageView[] {
    return this.rows.queued().map((row) => this.#views.of(this.rows, row));
  }

  get pending(): readonly PendingMessage[] {
    return this.#outgoing.pending.list;
  }

  get activeRun(): RunRow | null {
    const id = this.rows.thread?.active_run;
    return id ? (this.rows.runs.get(id) ?? null) : null;
  }

  /** The id of the run that is queued or running. */
  get activeRunId(): string | null {
    return this.rows.thread?.active_run ?? null;
  }

  toolCalls(): ToolCallView[] {
    return this.messages.flatMap((message) => message.parts.filter((part) => part.type === "tool_call"));
  }

  close(): void {
    this.#unsubscribe();
    if (this.#id !== null) this.#connection.post("unsubscribe", { thread: this.#id });
  }

  /** Rejects only after the message stands on the page as refused, with the reason. */
  send(parts: UserPart[], extra: Record<string, Json> = {}): Promise<SendAnswer> {
    const state = this.#id === null && this.#heldState.length > 0 ? { state: [...this.#heldState] } : {};
    return this.#outgoing.send(parts, { ...this.#page(), ...state, ...extra });
  }

  sendText(text: string): Promise<SendAnswer> {
    return this.send([{ type: "text", text }]);
  }

  /** Send a refused message again, as a new command. */
  async resend(id: string): Promise<void> {
    const item = this.#outgoing.pending.list.find((pending) => pending.id === id);
    if (item === undefined) return;
    this.#outgoing.pending.remove(id);
    await this.send(item.parts);
  }

  discard(id: string): void {
    this.#outgoing.pending.remove(id);
    this.changed.emit();
  }

  edit(message: string, parts: UserPart[]): Promise<unknown> {
    return this.#connection.command("edit_message", { message, parts, ...this.#page() });
  }

  regenerate(message: string): Promise<unknown> {
    return this.#connection.command("regenerate", { message, ...this.#page() });
  }

  switchBranch(message: string): Promise<unknown> {
    return this.#connection.command("switch_branch", { message });
  }

  cancel(run: string): Promise<unknown> {
    return this.#connection.command("cancel_run", { run });
  }

  /** Take back a message that still waits for its turn. */
  withdraw(message: string): Promise<unknown> {
    return this.#connection.command("cancel_message", { message });
  }

  /** Put a message that waits before another one, or last. */
  moveQueued(message: string, before: string | null): Promise<unknown> {
    return this.#connection.command("move_message", before === null ? { message } : { message, before });
  }

  /** Stop the answer that is being written, and go on with a message that waits. */
  steer(message: string): Promise<unknown> {
    return this.#connection.command("steer_message", { message });
  }

  /** Let the queue go on that rests since a run was stopped. */
  resumeQueue(): Promise<unknown> {
    return this.#connection.command("resume_queue", { thread: this.#id });
  }

  clearQueue(): Promise<unknown> {
    return this.#connection.command("clear_queue", { thread: this.#id });
  }

  /** Say that an answer was good or bad; null takes it back. */
  rate(message: string, rating: Rating | null, comment = ""): Promise<unknown> {
    return this.#connection.command("set_feedback", { message, rating, comment });
  }

  async decide(approval: ApprovalRow, verdict: Verdict): Promise<void> {
    const fields = { approval: approval.id, digest: approval.args_digest, ...verdict };
    await this.#connection.command("decide_approval", fields);
  }

  setState(operations: Json[]): Promise<unknown> {
    return this.#connection.command("set_state", { thread: this.#id, operations });
  }

  /** Write the state of a thread that has no id yet. */
  holdState(operations: Json[]): void {
    this.#heldState = [...this.#heldState, ...operations];
  }

  async loadOlder(): Promise<void> {
    const oldest = this.rows.branch()[0];
    if (this.loadingOlder || !this.rows.hasMore || oldest === undefined || this.#id === null) return;
    this.loadingOlder = true;
    this.changed.emit();
    try {
      const page = await this.#api.messagesBefore(this.#id, oldest.seq, PAGE);
      this.rows.prepend(page);
      this.#shown = null;
    } finally {
      this.loadingOlder = false;
      this.changed.emit();
    }
  }

  /** The thread that the first message has made, with the state that came along. */
  adopt(thread: string, state: readonly Json[] = []): void {
    if (this.#id !== null) return;
    this.#id = thread;
    const left = this.#heldState.filter((operation) => !state.includes(operation));
    this.#heldState = [];
    this.#subscribe();
    if (left.length > 0) this.setState(left).catch(reportError);
    this.created.emit(thread);
  }

  #onFrame(frame: ServerFrame): void {
    switch (frame.type) {
      case "hello":
        return this.#subscribe();
      case "ack":
        if (frame.id === this.#subscription) this.#isAsking = false;
        return;
      case "snapshot":
        if (frame.thread.id !== this.#id) return;
        this.rows.applySnapshot(frame);
        this.#views.clear();
        this.#outgoing.pending.settle(frame.messages);
        return this.#show();
      case "changes":
        if (frame.thread_id !== this.#id) return;
        return this.#onChanges(frame);
      case "events":
        if (frame.thread_id !== this.#id) return;
        if (this.rows.applyEvents(frame) === "behind") return this.#resync();
        return this.#show();
      case "thread_deleted":
        if (frame.thread_id !== this.#id) return;
        this.error = new AgentUIError("thread_deleted", "This chat was deleted.");
        return this.changed.emit();
      case "error":
        if (frame.id === undefined || frame.id !== this.#subscription) return;
        this.#isAsking = false;
        this.error = new AgentUIError(frame.code, frame.message);
        return this.changed.emit();
    }
  }

  #onChanges(frame: ChangesFrame): void {
    const known = new Set(this.rows.messages.keys());
    const folded = this.rows.applyChanges(frame);
    this.#outgoing.pending.settle((frame.messages ?? []).filter((message) => !known.has(message.id)));
    this.#show();
    if (folded === "unknown") this.#subscribe(true);
    else if (folded === "behind") this.#resync();
  }

  #show(): void {
    this.error = null;
    this.#views.forget(this.rows.takeTouched());
    this.#shown = null;
    this.changed.emit();
  }

  /** Something is missing: ask again, from what is known; if that did not help, for the whole. */
  #resync(): void {
    if (this.#isAsking) return; // what comes before the answer is as incomplete
    const now = Date.now();
    const again = now - this.#resyncedAt < RESYNC_PAUSE;
    this.#resyncedAt = now;
    this.#subscribe(again);
  }

  #subscribe(fromTheBeginning = false): void {
    if (this.#id === null || this.#connection.state !== "open") return;
    this.#isAsking = true;
    const after = fromTheBeginning ? null : this.rows.cursor();
    this.#subscription = this.#connection.post("subscribe", {
      thread: this.#id,
      ...(after === null ? {} : { after }),
    });
  }
}

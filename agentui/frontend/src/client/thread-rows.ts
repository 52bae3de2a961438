/**
 * What one thread looks like, folded from snapshots, changes and events. Pure: no socket.
 *
 * Rows come with the thread's version, text comes as numbered events of a run.
 */
import { Accumulator } from "../core/index.js";
import type { ChangesFrame, EventsFrame, MessageChange, SnapshotFrame } from "./frames.js";
import type {
  ApprovalRow,
  MessagePage,
  MessageRow,
  RunRow,
  ThreadRow,
  ToolCallRow,
} from "./rows.js";

export interface Cursor {
  version: number;
  run?: string;
  seq?: number;
}

/**
 * What folding a frame shows: all is well; something between was missed, so ask again from the
 * cursor; or rows are shown that were never sent, so ask for the whole.
 */
export type Folded = "ok" | "behind" | "unknown";

export class ThreadRows {
  thread: ThreadRow | null = null;
  hasMore = false;
  readonly messages = new Map<string, MessageRow>();
  readonly toolCalls = new Map<string, ToolCallRow>();
  readonly approvals = new Map<string, ApprovalRow>();
  readonly runs = new Map<string, RunRow>();
  /** Messages whose picture changed since `takeTouched` was last called. */
  #touched = new Set<string>();
  /** Ids of the messages that wait, in the order they will be sent. */
  #queue: readonly string[] = [];
  #version: number | null = null;
  readonly #seqs = new Map<string, number>();
  /** Of the messages that are being written. */
  readonly #accumulators = new Map<string, Accumulator>();

  get version(): number | null {
    return this.#version;
  }

  takeTouched(): Set<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Where to go on after a reconnect, or null when nothing is known yet. */
  cursor(): Cursor | null {
    if (this.#version === null) return null;
    const run = this.thread?.active_run ?? this.#runBeingWritten();
    const seq = run === null ? undefined : this.#seqs.get(run);
    if (run === null || seq === undefined) return { version: this.#version };
    return { version: this.#version, run, seq };
  }

  applySnapshot(frame: SnapshotFrame): void {
    for (const map of [this.messages, this.toolCalls, this.approvals, this.runs, this.#seqs, this.#accumulators]) {
      map.clear();
    }
    this.#version = frame.version;
    this.thread = frame.thread;
    this.hasMore = frame.has_more;
    this.#queue = frame.queued ?? [];
    for (const [run, seq] of Object.entries(frame.cursors ?? {})) this.#seqs.set(run, seq);
    this.#putAll(frame);
    for (const message of frame.messages) this.#replaceMessage(message);
  }

  applyChanges(frame: ChangesFrame): Folded {
    if (this.#version === null || frame.from > this.#version) return "behind";
    // Already known: the server sent it again after a resubscribe.
    if (frame.version <= this.#version && frame.version !== frame.from) return "ok";
    this.#version = Math.max(this.#version, frame.version);
    if (frame.thread) this.thread = frame.thread;
    this.#putAll(frame);
    let complete = true;
    for (const message of frame.messages ?? []) complete = this.#putMessage(message) && complete;
    if (frame.queued) {
      this.#queue = frame.queued;
      this.#dropQueuedBut(new Set(frame.queued));
    }
    if (!this.#reachesRoot()) return "unknown";
    return complete ? "ok" : "behind";
  }

  applyEvents(frame: EventsFrame): Folded {
    const known = this.#seqs.get(frame.run) ?? 0;
    if (frame.to <= known) return "ok";
    const row = this.messages.get(frame.message);
    if (frame.from > known + 1 || row === undefined) return "behind";
    this.#seqs.set(frame.run, frame.to);
    const accumulator = this.#accumulators.get(frame.message);
    // Its row already says how it ended; these are late.
    if (accumulator === undefined) return "ok";
    for (const event of frame.events.slice(known + 1 - frame.from)) accumulator.apply(event);
    this.#show(row, accumulator);
    return "ok";
  }

  /** Older messages, fetched page by page. */
  prepend(page: MessagePage): void {
    this.hasMore = page.has_more ?? false;
    for (const call of page.tool_calls ?? []) keep(this.toolCalls, call);
    for (const approval of page.approvals ?? []) keep(this.approvals, approval);
    for (const message of page.messages) keep(this.messages, message);
  }

  /** The branch shown, oldest first, as far as it is loaded. */
  branch(): MessageRow[] {
    const rows: MessageRow[] = [];
    const seen = new Set<string>();
    let id = this.thread?.head ?? null;
    while (id !== null && !seen.has(id)) {
      const row = this.messages.get(id);
      if (row === undefined) break;
      seen.add(id);
      rows.push(row);
      id = row.parent;
    }
    return rows.reverse();
  }

  /** User messages that wait for their turn and are not in the branch yet, in their order. */
  queued(): MessageRow[] {
    const waiting = [...this.messages.values()].filter(({ role, status }) => role === "user" && status.type === "queued");
    if (waiting.length === 0) return waiting;
    const shown = new Set(this.branch().map((row) => row.id));
    return waiting
      .filter((row) => !shown.has(row.id))
      .sort((a, b) => this.#queue.indexOf(a.id) - this.#queue.indexOf(b.id) || a.seq - b.seq);
  }

  #putAll(frame: Partial<Omit<MessagePage, "messages">>): void {
    for (const run of frame.runs ?? []) this.runs.set(run.id, run);
    for (const call of frame.tool_calls ?? []) {
      this.toolCalls.set(call.id, call);
      this.#touched.add(call.message);
    }
    for (const approval of frame.approvals ?? []) {
      this.approvals.set(approval.id, approval);
      const call = this.toolCalls.get(approval.tool_call);
      if (call) this.#touched.add(call.message);
    }
  }

  #putMessage(row: MessageChange): boolean {
    const cursor = row.cursor ?? null;
    const known = cursor === null ? 0 : (this.#seqs.get(cursor.run) ?? 0);
    const shown = this.messages.get(row.id);
    const isWritten = this.#accumulators.has(row.id);
    if (row.parts === undefined || (isWritten && cursor !== null && cursor.seq < known)) {
      // More of it is already shown than the row holds: keep the text, take the rest.
      if (shown === undefined) return false;
      this.#replaceMessage({ ...row, parts: shown.parts, metadata: shown.metadata });
      return true;
    }
    this.#replaceMessage({ ...row, parts: row.parts });
    if (cursor === null) return true;
    this.#seqs.set(cursor.run, cursor.seq);
    // Events beyond the row were passed over while it was not being written: ask for them again.
    return row.status.type !== "running" || cursor.seq >= known;
  }

  #replaceMessage(row: MessageRow): void {
    this.messages.set(row.id, row);
    this.#touched.add(row.id);
    this.#tellSiblings(row);
    if (row.status.type === "running") this.#accumulators.set(row.id, new Accumulator(row));
    else this.#accumulators.delete(row.id);
  }

  /** A new version of a message is news for its other versions, whose rows did not change. */
  #tellSiblings({ id, siblings }: MessageRow): void {
    if (siblings.length < 2) return;
    for (const other of siblings) {
      const row = this.messages.get(other);
      if (other === id || row === undefined || row.siblings.length >= siblings.length) continue;
      this.messages.set(other, { ...row, siblings });
      this.#touched.add(other);
    }
  }

  #show(row: MessageRow, accumulator: Accumulator): void {
    // The status word is the row's: a roundtrip that ends is not yet a message that ends.
    const { parts = [], metadata = {} } = accumulator.message;
    this.messages.set(row.id, { ...row, parts, metadata });
    this.#touched.add(row.id);
  }

  /** A queued message that the server no longer lists was taken back. */
  #dropQueuedBut(queued: ReadonlySet<string>): void {
    for (const row of this.messages.values()) {
      if (row.role === "user" && row.status.type === "queued" && !queued.has(row.id)) this.#remove(row.id);
    }
  }

  #remove(id: string): void {
    this.messages.delete(id);
    this.#accumulators.delete(id);
    this.#touched.add(id);
  }

  #runBeingWritten(): string | null {
    for (const id of this.#accumulators.keys()) {
      const run = this.messages.get(id)?.run;
      if (run) return run;
    }
    return null;
  }

  /** False when the head, or a link between it and the loaded page, is not known. */
  #reachesRoot(): boolean {
    const head = this.thread?.head ?? null;
    if (head === null) return true;
    const oldest = this.branch()[0];
    if (oldest === undefined) return false;
    return oldest.parent === null || this.hasMore;
  }
}

function keep<T extends { id: string }>(map: Map<string, T>, row: T): void {
  if (!map.has(row.id)) map.set(row.id, row);
}

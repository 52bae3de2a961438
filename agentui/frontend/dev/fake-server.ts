/**
 * A server of protocol version 1 in memory: for the unit tests, and for looking at the elements
 * without Django. It numbers rows and events as the real one does and answers every command; what a
 * command does beyond that is given by `on`.
 */
import { Accumulator, type StreamEvent } from "../src/core/index.js";
import type {
  ApprovalRow,
  ChangesFrame,
  MessageRow,
  RunRow,
  ThreadRow,
  ToolCallRow,
} from "../src/client/index.js";
import { FakeSocket } from "./fake-socket.js";

export interface Command {
  id: string;
  type: string;
  [field: string]: unknown;
}

export type Answer = Record<string, unknown> | void;

export class FakeRefusal extends Error {
  constructor(
    readonly code: string,
    message = code,
  ) {
    super(message);
  }
}

export interface Rows {
  thread?: Partial<ThreadRow>;
  messages?: MessageRow[];
  tool_calls?: ToolCallRow[];
  approvals?: ApprovalRow[];
  runs?: RunRow[];
}

export class FakeThread {
  row: ThreadRow;
  readonly messages = new Map<string, MessageRow>();
  readonly calls = new Map<string, ToolCallRow>();
  readonly approvals = new Map<string, ApprovalRow>();
  readonly runs = new Map<string, RunRow>();
  readonly journal: { run: string; message: string; from: number; events: StreamEvent[] }[] = [];
  readonly seqs = new Map<string, number>();
  readonly log: { version: number; frame: ChangesFrame }[] = [];

  constructor(row: ThreadRow) {
    this.row = row;
  }

  put(rows: Rows): void {
    this.row = { ...this.row, ...rows.thread };
    for (const message of rows.messages ?? []) this.messages.set(message.id, message);
    for (const call of rows.tool_calls ?? []) this.calls.set(call.id, call);
    for (const approval of rows.approvals ?? []) this.approvals.set(approval.id, approval);
    for (const run of rows.runs ?? []) this.runs.set(run.id, run);
  }
}

export class FakeServer {
  readonly received: Command[] = [];
  readonly sockets = new Set<FakeSocket>();
  readonly threads = new Map<string, FakeThread>();
  readonly limits = { frame_bytes: 256 * 1024, window_bytes: 1024 * 1024 };
  /** False: a socket opens and hears nothing, or is closed with `refuse`. */
  greets = true;
  refuse: number | null = null;
  readonly #answers = new Map<string, (command: Command, socket: FakeSocket) => Answer>();
  readonly #answered = new Map<string, object>();
  readonly #followers = new Map<FakeSocket, Set<string>>();

  /** To be given to a `Client` or `Connection`. */
  get WebSocket(): new (url: string) => WebSocket {
    const server = this;
    return class extends FakeSocket {
      constructor(url: string) {
        super(url, server);
      }
    } as unknown as new (url: string) => WebSocket;
  }

  /** What a command does; a thrown `FakeRefusal` becomes an error frame. */
  on(type: string, answer: (command: Command, socket: FakeSocket) => Answer): void {
    this.#answers.set(type, answer);
  }

  add(thread: FakeThread): FakeThread {
    this.threads.set(thread.row.id, thread);
    return thread;
  }

  of(type: string): Command[] {
    return this.received.filter((command) => command.type === type);
  }

  /** Change rows and tell those who follow. */
  change(id: string, rows: Rows): void {
    const thread = this.#thread(id);
    const from = thread.row.version;
    thread.put({ ...rows, thread: { ...rows.thread, version: from + 1 } });
    const { thread: _, ...changed } = rows;
    const frame: ChangesFrame = {
      type: "changes",
      thread_id: id,
      from,
      version: from + 1,
      thread: thread.row,
      ...changed,
    };
    thread.log.push({ version: from + 1, frame });
    this.#tell(id, frame);
    for (const socket of this.sockets) socket.push({ type: "thread", thread: thread.row });
  }

  /** Add events of a run and tell those who follow. */
  emit(id: string, run: string, message: string, events: StreamEvent[]): void {
    const thread = this.#thread(id);
    const from = (thread.seqs.get(run) ?? 0) + 1;
    thread.seqs.set(run, from + events.length - 1);
    thread.journal.push({ run, message, from, events });
    this.#tell(id, eventsFrame(id, run, message, from, events));
  }

  /** Tell every socket about every thread. */
  pushThreads(): void {
    for (const socket of this.sockets) {
      for (const thread of this.threads.values()) socket.push({ type: "thread", thread: thread.row });
    }
  }

  /** Every socket is closed, as when the server stops. */
  drop(code = 1006): void {
    for (const socket of [...this.sockets]) socket.end(code);
  }

  opened(socket: FakeSocket): void {
    if (this.refuse !== null) return socket.end(this.refuse);
    this.sockets.add(socket);
    this.#followers.set(socket, new Set());
    if (this.greets) socket.push({ type: "hello", protocol: 1, user: "1", limits: this.limits });
  }

  closed(socket: FakeSocket): void {
    this.sockets.delete(socket);
    this.#followers.delete(socket);
  }

  receive(socket: FakeSocket, text: string): void {
    const command = JSON.parse(text) as Command;
    this.received.push(command);
    const known = this.#answered.get(command.id);
    if (known) return socket.push(known);
    try {
      const answer = this.#carryOut(socket, command);
      if (answer === null) return;
      const frame = { type: "ack", id: command.id, ...answer };
      this.#answered.set(command.id, frame);
      socket.push(frame);
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      socket.push({ type: "error", id: command.id, code: error.code, message: error.message });
    }
  }

  #carryOut(socket: FakeSocket, command: Command): object | null {
    const own = this.#answers.get(command.type);
    if (own) return own(command, socket) ?? {};
    switch (command.type) {
      case "ping":
        socket.push({ type: "pong", id: command.id });
        return null;
      case "subscribe":
        this.#subscribe(socket, command);
        return null;
      case "unsubscribe":
        this.#followers.get(socket)?.delete(String(command["thread"]));
        return {};
      default:
        return {};
    }
  }

  #subscribe(socket: FakeSocket, command: Command): void {
    const id = String(command["thread"]);
    if (!this.threads.has(id)) throw new FakeRefusal("not_found", "There is nothing here.");
    const thread = this.#thread(id);
    this.#followers.get(socket)?.add(id);
    socket.push({ type: "ack", id: command.id, thread: id });
    const after = command["after"] as { version: number; run?: string; seq?: number } | undefined;
    if (after === undefined) return socket.push(snapshotOf(thread));
    for (const { version, frame } of thread.log) if (version > after.version) socket.push(frame);
    for (const { run, message, from, events } of thread.journal) {
      const skipped = Math.max(0, (run === after.run ? (after.seq ?? 0) : 0) + 1 - from);
      if (run !== thread.row.active_run || skipped >= events.length) continue;
      socket.push(eventsFrame(id, run, message, from + skipped, events.slice(skipped)));
    }
  }

  #tell(id: string, frame: object): void {
    for (const [socket, threads] of this.#followers) if (threads.has(id)) socket.push(frame);
  }

  #thread(id: string): FakeThread {
    const thread = this.threads.get(id);
    if (thread === undefined) throw new Error(`There is no thread ${id}`);
    return thread;
  }
}

function snapshotOf(thread: FakeThread): object {
  const messages = [...thread.messages.values()].map((row) => folded(thread, row));
  return {
    type: "snapshot",
    thread: thread.row,
    messages,
    tool_calls: [...thread.calls.values()],
    approvals: [...thread.approvals.values()],
    runs: [...thread.runs.values()],
    version: thread.row.version,
    cursors: Object.fromEntries(messages.flatMap((row) => (row.cursor ? [[row.cursor.run, row.cursor.seq]] : []))),
    has_more: false,
  };
}

/** The message with what its run has written since the row was stored. */
function folded(thread: FakeThread, row: MessageRow): MessageRow {
  if (row.status.type !== "running" || !row.cursor) return row;
  const accumulator = new Accumulator(row);
  let { seq } = row.cursor;
  for (const { run, from, events } of thread.journal) {
    if (run !== row.cursor.run) continue;
    for (const event of events.slice(Math.max(0, seq + 1 - from))) accumulator.apply(event);
    seq = Math.max(seq, from + events.length - 1);
  }
  const { parts = [], metadata = {} } = accumulator.message;
  return { ...row, parts, metadata, cursor: { run: row.cursor.run, seq } };
}

function eventsFrame(id: string, run: string, message: string, from: number, events: StreamEvent[]): object {
  return { type: "events", thread_id: id, run, message, from, to: from + events.length - 1, events };
}

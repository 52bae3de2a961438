/**
 * The person's threads, latest activity first. Filled by the server's `thread` frames after every
 * `hello`; older ones are fetched page by page.
 */
import type { Api, ThreadQuery } from "./api.js";
import type { Connection } from "./connection.js";
import { Emitter } from "./emitter.js";
import type { ServerFrame } from "./frames.js";
import type { ThreadRow } from "./rows.js";
import { SeenVersions } from "./seen.js";

export class ThreadListStore {
  readonly changed = new Emitter<void>();
  readonly #threads = new Map<string, ThreadRow>();
  readonly #api: Api;
  readonly #seen = new SeenVersions();
  #loaded = false;
  #next: ThreadQuery | null = null;
  /** The thread on the page; it is never unread. */
  #open: string | null = null;

  constructor({ connection, api }: { connection: Connection; api: Api }) {
    this.#api = api;
    connection.frames.subscribe((frame) => this.#onFrame(frame));
  }

  get isLoaded(): boolean {
    return this.#loaded;
  }

  get hasMore(): boolean {
    return this.#next !== null;
  }

  list(status: ThreadRow["status"] = "regular"): ThreadRow[] {
    return [...this.#threads.values()]
      .filter((thread) => thread.status === status)
      .sort((a, b) => b.last_activity_at.localeCompare(a.last_activity_at) || b.id.localeCompare(a.id));
  }

  get(id: string): ThreadRow | null {
    return this.#threads.get(id) ?? null;
  }

  /** True when something happened in the thread since it was last on the page. */
  isUnread(thread: ThreadRow): boolean {
    return thread.id !== this.#open && this.#seen.isNewer(thread);
  }

  /** Which thread is on the page now. */
  opened(id: string | null): void {
    this.#open = id;
    const thread = id === null ? undefined : this.#threads.get(id);
    if (thread) this.#seen.mark(thread);
    this.changed.emit();
  }

  /** Fetch the newest threads, of the archive if asked. */
  async load(status: ThreadRow["status"] = "regular"): Promise<void> {
    await this.#fetch({ status });
  }

  async loadMore(): Promise<void> {
    if (this.#next !== null) await this.#fetch(this.#next);
  }

  /** Fetch the threads whose title has these words, so that they are among those listed. */
  async search(search: string, status: ThreadRow["status"] = "regular"): Promise<void> {
    const { threads } = await this.#api.threads({ search, status });
    for (const thread of threads) this.#keep(thread);
    this.changed.emit();
  }

  async rename(id: string, title: string): Promise<void> {
    this.#put(await this.#api.patchThread(id, { title }));
  }

  async setStatus(id: string, status: ThreadRow["status"]): Promise<void> {
    this.#put(await this.#api.patchThread(id, { status }));
  }

  async delete(id: string): Promise<void> {
    await this.#api.deleteThread(id);
    this.#remove(id);
  }

  async #fetch(query: ThreadQuery): Promise<void> {
    try {
      const page = await this.#api.threads(query);
      this.#next = page.next === null ? null : { ...query, cursor: page.next };
      for (const thread of page.threads) this.#keep(thread);
    } finally {
      this.#loaded = true;
      this.changed.emit();
    }
  }

  #onFrame(frame: ServerFrame): void {
    if (frame.type === "hello") void this.load().catch(() => {});
    else if (frame.type === "thread") this.#put(frame.thread);
    else if (frame.type === "thread_deleted") this.#remove(frame.thread_id);
  }

  #put(thread: ThreadRow): void {
    this.#keep(thread);
    this.changed.emit();
  }

  #keep(thread: ThreadRow): void {
    const known = this.#threads.get(thread.id);
    if (known && known.version > thread.version) return;
    this.#threads.set(thread.id, thread);
    if (thread.id === this.#open || !this.#seen.knows(thread)) this.#seen.mark(thread);
  }

  #remove(id: string): void {
    if (this.#threads.delete(id)) this.changed.emit();
  }
}

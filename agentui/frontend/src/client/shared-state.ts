/**
 * A thread's state, shared by the page and the agent: JSON that both read and write.
 *
 * What the page writes shows at once and is sent; the server's answer replaces it. What was written
 * while the thread had no id yet goes along with the message that makes it.
 */
import { applyOperations, type Json } from "../core/index.js";
import { Emitter } from "./emitter.js";
import type { ThreadStore } from "./thread-store.js";

type Path = readonly (string | number)[];

export class SharedState<T extends Json = Json> {
  /** Called with the state whenever it has become another one. */
  readonly changed = new Emitter<T>();
  readonly #store: ThreadStore;
  readonly #stops: (() => void)[];
  /** Written here and not answered yet. */
  #pending: Json[][] = [];
  /** Those of them that the thread begins with. */
  readonly #held = new Set<Json[]>();
  /** The state and the version of the thread in which it stood so. */
  #known: { state: Json; version: number };
  #shown: string;

  constructor(store: ThreadStore) {
    this.#store = store;
    this.#known = { state: null, version: -1 };
    this.#shown = "null";
    this.#stops = [
      store.changed.subscribe(() => this.#look()),
    ];
    this.#look();
  }

  get value(): T {
    return applyOperations(this.#known.state, this.#pending.flat()) as T;
  }

  /** Put a value at a path; an empty path is the whole state. Rejects when the server refuses it. */
  set(path: Path, value: Json): Promise<void> {
    return this.#write({ type: "set", path: path.map(String), value });
  }

  /** Add to the text at a path. */
  append(path: Path, text: string): Promise<void> {
    return this.#write({ type: "append-text", path: path.map(String), value: text });
  }

  /** Be told of the state now and whenever it changes, until the returned function is called. */
  subscribe(listener: (state: T) => void): () => void {
    listener(this.value);
    return this.changed.subscribe(listener);
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  async #write(operation: { type: string; path: string[]; value: Json }): Promise<void> {
    const operations: Json[] = [operation];
    this.#pending = [...this.#pending, operations];
    this.#tell();
    if (this.#store.id !== null) return this.#send(operations);
    this.#held.add(operations);
    this.#store.holdState(operations);
  }

  async #send(operations: Json[]): Promise<void> {
    try {
      const answer = (await this.#store.setState(operations)) as { state?: Json; version?: number };
      if (answer.state !== undefined) this.#learn(answer.state, answer.version ?? this.#known.version);
    } finally {
      this.#pending = this.#pending.filter((item) => item !== operations);
      this.#tell();
    }
  }

  #look(): void {
    const { thread } = this.#store;
    if (thread === null) return;
    if (this.#held.size > 0) {
      this.#pending = this.#pending.filter((operations) => !this.#held.has(operations));
      this.#held.clear();
    }
    this.#learn(thread.state, thread.version);
    this.#tell();
  }

  #learn(state: Json, version: number): void {
    if (version >= this.#known.version) this.#known = { state, version };
  }

  #tell(): void {
    const { value } = this;
    const text = JSON.stringify(value);
    if (text === this.#shown) return;
    this.#shown = text;
    this.changed.emit(value);
  }
}

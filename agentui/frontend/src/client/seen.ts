/** Which version of each thread this browser has shown: what is newer is unread. */
import type { ThreadRow } from "./rows.js";

const KEY = "agentui:seen";
const KEPT = 500;

export class SeenVersions {
  readonly #versions: Map<string, number>;

  constructor() {
    this.#versions = new Map(read());
  }

  knows(thread: ThreadRow): boolean {
    return this.#versions.has(thread.id);
  }

  isNewer(thread: ThreadRow): boolean {
    return (this.#versions.get(thread.id) ?? thread.version) < thread.version;
  }

  mark(thread: ThreadRow): void {
    if (this.#versions.get(thread.id) === thread.version) return;
    this.#versions.delete(thread.id);
    this.#versions.set(thread.id, thread.version);
    try {
      localStorage.setItem(KEY, JSON.stringify([...this.#versions].slice(-KEPT)));
    } catch {
      // Without storage, marks last as long as the page.
    }
  }
}

function read(): [string, number][] {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? (value as [string, number][]) : [];
  } catch {
    return [];
  }
}

/**
 * Messages the person has sent and the server has not shown back yet. Each is on the page at once,
 * under its command's id, and leaves when the row that replaces it is there.
 */
import type { AgentUIError } from "./errors.js";
import type { UserPart } from "./frames.js";
import type { MessageRow } from "./rows.js";

export interface PendingMessage {
  /** The command's id. */
  id: string;
  parts: UserPart[];
  /** The message of the server that replaces it, once it is known. */
  message: string | null;
  /** Why it was refused; it stays on the page until it is sent again or discarded. */
  error: AgentUIError | null;
}

export class PendingMessages {
  #list: PendingMessage[] = [];

  get list(): readonly PendingMessage[] {
    return this.#list;
  }

  add(id: string, parts: UserPart[]): void {
    this.#list = [...this.#list, { id, parts, message: null, error: null }];
  }

  /** The server's answer names the row. It may be here before or after the row itself. */
  acknowledged(id: string, message: string, rows: ReadonlyMap<string, MessageRow>): void {
    if (rows.has(message)) return this.remove(id);
    this.#list = this.#list.map((item) => (item.id === id ? { ...item, message } : item));
  }

  refused(id: string, error: AgentUIError): void {
    this.#list = this.#list.map((item) => (item.id === id ? { ...item, error } : item));
  }

  remove(id: string): void {
    this.#list = this.#list.filter((item) => item.id !== id);
  }

  /** New user messages have come: each names the command that made it. */
  settle(rows: Iterable<Pick<MessageRow, "id" | "role" | "metadata">>): void {
    for (const { id, role, metadata } of rows) {
      if (role !== "user") continue;
      const match = this.#list.find((item) => item.id === metadata?.command || item.message === id);
      if (match) this.remove(match.id);
    }
  }
}

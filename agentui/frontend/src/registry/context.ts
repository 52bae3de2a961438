/**
 * What a page says about itself for agents to read: sent along with every message, never stored in
 * the thread. A value may be a function; it is asked when a message is sent.
 */
import type { Json } from "../core/index.js";

export interface Readable {
  description: string;
  /** Anything but text is sent as JSON. */
  value: Json | (() => Json);
  /** The agents that are told; left out, all are; an empty list is nobody. */
  agents?: readonly string[];
}

export interface ContextItem {
  description: string;
  value: string;
}

/** The server's limits; a longer text is cut. */
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_VALUE = 20_000;
const MOST = 50;

export class PageContext {
  readonly #readables = new Set<Readable>();

  /** Returns the function that takes it away. */
  add(readable: Readable): () => void {
    const own = { ...readable };
    this.#readables.add(own);
    return () => void this.#readables.delete(own);
  }

  /** What this agent is told now. */
  of(agent: string): ContextItem[] {
    return [...this.#readables]
      .filter(({ agents }) => agents === undefined || agents.includes(agent))
      .flatMap(itemOf)
      .slice(0, MOST);
  }
}

function itemOf({ description, value }: Readable): ContextItem[] {
  try {
    const now = typeof value === "function" ? value() : value;
    const text = typeof now === "string" ? now : (JSON.stringify(now) ?? "");
    return [{ description: cut(description, LONGEST_DESCRIPTION), value: cut(text, LONGEST_VALUE) }];
  } catch (error) {
    reportError(error); // one broken readable keeps no message from being sent
    return [];
  }
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

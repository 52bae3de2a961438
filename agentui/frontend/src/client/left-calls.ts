/**
 * Calls whose handler was running when the page went away, remembered for this tab: how often they
 * began, and what to answer if the handler said so before it left, or was done and not yet heard.
 */
import type { ToolOutcome } from "../registry/tool.js";

const KEY = "agentui:calls";
const KEPT = 20;

export interface LeftCall {
  attempt: number;
  answer?: ToolOutcome;
}

export class LeftCalls {
  #calls: [string, LeftCall][] = read();

  get(id: string): LeftCall | null {
    return this.#calls.find(([key]) => key === id)?.[1] ?? null;
  }

  set(id: string, call: LeftCall): void {
    this.#write([...this.#calls.filter(([key]) => key !== id), [id, call]]);
  }

  delete(id: string): void {
    this.#write(this.#calls.filter(([key]) => key !== id));
  }

  #write(calls: [string, LeftCall][]): void {
    this.#calls = calls.slice(-KEPT);
    try {
      sessionStorage.setItem(KEY, JSON.stringify(this.#calls));
    } catch {
      // Without storage a call that left the page begins anew.
    }
  }
}

function read(): [string, LeftCall][] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? (value as [string, LeftCall][]) : [];
  } catch {
    return [];
  }
}

/**
 * Messages on their way, remembered for this tab: after a reload they are sent again under the same
 * id, which the server answers once. Kept until the server has said yes or no.
 */
import type { Json } from "../core/index.js";
import type { UserPart } from "./frames.js";

export interface UnsentMessage {
  id: string;
  /** The fields of the command beside its id: equal commands must be equal to the letter. */
  fields: { thread?: string; agent?: string; parts: UserPart[]; state?: Json[] } & Record<string, unknown>;
}

const KEY = "agentui:unsent";

export class UnsentMessages {
  /** Those of a thread, or of new threads with an agent. */
  of(thread: string | null, agent: string): UnsentMessage[] {
    return read().filter(({ fields }) =>
      thread === null ? fields.thread === undefined && fields.agent === agent : fields.thread === thread,
    );
  }

  add(message: UnsentMessage): void {
    write([...read(), message]);
  }

  delete(id: string): void {
    const all = read();
    if (all.some((message) => message.id === id)) write(all.filter((message) => message.id !== id));
  }
}

function read(): UnsentMessage[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(value) ? (value as UnsentMessage[]) : [];
  } catch {
    return [];
  }
}

function write(messages: UnsentMessage[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(messages));
  } catch {
    // Too large, or switched off: the message then lives as long as the page.
  }
}

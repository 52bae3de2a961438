/**
 * Which of a thread's messages are on the page. However long a thread is, their number is bounded: the
 * newest ones, or, while somebody reads further up, those around the reader.
 */
const NEWEST = 60;
const STEP = 40;
const MOST = 140;

export interface Range {
  from: number;
  /** The first that is not shown. */
  to: number;
}

export class MessageWindow {
  /** The first message shown; null for "the newest ones". */
  #first: string | null = null;

  range(messages: readonly { id: string }[]): Range {
    const { length } = messages;
    const at = this.#first === null ? -1 : messages.findIndex(({ id }) => id === this.#first);
    if (at < 0) return { from: Math.max(0, length - NEWEST), to: length };
    return { from: at, to: Math.min(length, at + MOST) };
  }

  /** The reader has left the end: what comes in must not push away what they read. */
  hold(messages: readonly { id: string }[]): void {
    this.#first ??= messages[this.range(messages).from]?.id ?? null;
  }

  toEnd(): void {
    this.#first = null;
  }

  older(messages: readonly { id: string }[]): void {
    const { from } = this.range(messages);
    this.#first = messages[Math.max(0, from - STEP)]?.id ?? null;
  }

  newer(messages: readonly { id: string }[]): void {
    const { from, to } = this.range(messages);
    if (to >= messages.length) return;
    this.#first = messages[Math.min(from + STEP, messages.length - NEWEST)]?.id ?? null;
  }
}

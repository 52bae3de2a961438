/**
 * Commands that the server has not answered yet. Each keeps its id when it is sent again after a
 * reconnect, so the server can give its first answer instead of acting twice.
 */
import { AgentUIError } from "./errors.js";
import type { AckFrame, ErrorFrame } from "./frames.js";

interface Waiting {
  text: string;
  answer: Promise<AckFrame>;
  resolve: (answer: AckFrame) => void;
  reject: (error: AgentUIError) => void;
}

export class Outbox {
  readonly #waiting = new Map<string, Waiting>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Adding a command again that still waits is waiting for the same answer. */
  add(id: string, text: string): Promise<AckFrame> {
    const known = this.#waiting.get(id);
    if (known !== undefined) return known.answer;
    const { promise, resolve, reject } = withResolvers();
    this.#waiting.set(id, { text, answer: promise, resolve, reject });
    return promise;
  }

  /** The frames to send again, oldest first. */
  texts(): string[] {
    return [...this.#waiting.values()].map((command) => command.text);
  }

  acknowledge(frame: AckFrame): void {
    this.#take(frame.id)?.resolve(frame);
  }

  refuse(frame: ErrorFrame): void {
    if (frame.id === undefined) return;
    this.#take(frame.id)?.reject(
      new AgentUIError(frame.code, frame.message, frame.details ?? null),
    );
  }

  /** The socket was closed because of a frame's size: the biggest one must not be sent again. */
  refuseBiggest(): void {
    let biggest: [string, Waiting] | null = null;
    for (const entry of this.#waiting) {
      if (biggest === null || entry[1].text.length > biggest[1].text.length) biggest = entry;
    }
    if (biggest === null) return;
    this.#waiting.delete(biggest[0]);
    biggest[1].reject(tooBig());
  }

  refuseAll(error: AgentUIError): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const command of waiting) command.reject(error);
  }

  #take(id: string): Waiting | undefined {
    const command = this.#waiting.get(id);
    this.#waiting.delete(id);
    return command;
  }
}

function withResolvers(): Pick<Waiting, "resolve" | "reject"> & { promise: Promise<AckFrame> } {
  let resolve!: Waiting["resolve"];
  let reject!: Waiting["reject"];
  const promise = new Promise<AckFrame>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

export function tooBig(bytes?: number, limit?: number): AgentUIError {
  const size = bytes === undefined || limit === undefined ? "" : ` (${bytes} of ${limit} bytes)`;
  return new AgentUIError("frame_too_big", `This is too long to send${size}. Please shorten it.`);
}

/**
 * What the person sends in one thread: it stands on the page at once, survives a reload, and goes out
 * in the order it was written. What follows the message that makes a thread waits for that thread.
 */
import type { Json } from "../core/index.js";
import type { Connection } from "./connection.js";
import { AgentUIError } from "./errors.js";
import type { SendAnswer, UserPart } from "./frames.js";
import { uuid } from "./ids.js";
import { PendingMessages } from "./pending.js";
import type { MessageRow } from "./rows.js";
import { UnsentMessages, type UnsentMessage } from "./unsent.js";

/** The store it sends for. */
export interface Sender {
  readonly id: string | null;
  readonly rows: { readonly messages: ReadonlyMap<string, MessageRow> };
  adopt(thread: string, state?: readonly Json[]): void;
  changed: { emit(): void };
}

export class Outgoing {
  readonly pending = new PendingMessages();
  readonly #unsent = new UnsentMessages();
  readonly #sender: Sender;
  readonly #connection: Connection;
  readonly #agent: string;
  /** The answer to what was sent last while there was no thread yet. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(sender: Sender, connection: Connection, agent: string) {
    this.#sender = sender;
    this.#connection = connection;
    this.#agent = agent;
  }

  /** Send again what the page before this one could not send to the end. */
  resume(): void {
    for (const message of this.#unsent.of(this.#sender.id, this.#agent)) {
      this.#deliver(message).catch(() => {}); // the refusal stands on the page
    }
  }

  /** Rejects only after the message stands on the page as refused, with the reason. */
  send(parts: UserPart[], fields: Record<string, Json>): Promise<SendAnswer> {
    const message = { id: uuid(), fields: { ...this.#target(), parts, ...fields } };
    this.#unsent.add(message);
    return this.#deliver(message);
  }

  async #deliver(message: UnsentMessage): Promise<SendAnswer> {
    const { id } = message;
    this.pending.add(id, message.fields.parts);
    this.#sender.changed.emit();
    try {
      const answer = await this.#inTurn(message);
      this.#unsent.delete(id);
      this.#sender.adopt(answer.thread, message.fields.state);
      this.pending.acknowledged(id, answer.message, this.#sender.rows.messages);
      this.#sender.changed.emit();
      return answer;
    } catch (error) {
      const refusal = asError(error);
      // A page that is left takes nothing back: what it sent is sent again by the next one.
      if (refusal.code !== "closed") this.#unsent.delete(id);
      this.pending.refused(id, refusal);
      this.#sender.changed.emit();
      throw error;
    }
  }

  #inTurn(message: UnsentMessage): Promise<SendAnswer> {
    if (this.#sender.id !== null) return this.#command(message);
    const answer = this.#before.then(() => this.#command(this.#addressed(message)));
    // Where the first is refused, the second makes the thread.
    this.#before = answer
      .then(({ thread }) => this.#sender.adopt(thread, message.fields.state))
      .catch(() => {});
    return answer;
  }

  /** The message as it goes to the thread that was made meanwhile; kept so for a reload. */
  #addressed(message: UnsentMessage): UnsentMessage {
    if (this.#sender.id === null || message.fields.thread !== undefined) return message;
    const { agent: _agent, state: _state, ...fields } = message.fields;
    const addressed = { id: message.id, fields: { ...fields, thread: this.#sender.id } };
    this.#unsent.delete(message.id);
    this.#unsent.add(addressed);
    return addressed;
  }

  async #command({ id, fields }: UnsentMessage): Promise<SendAnswer> {
    return (await this.#connection.command("send_message", fields, id)) as unknown as SendAnswer;
  }

  #target(): { thread: string } | { agent: string } {
    return this.#sender.id === null ? { agent: this.#agent } : { thread: this.#sender.id };
  }
}

function asError(error: unknown): AgentUIError {
  return error instanceof AgentUIError ? error : new AgentUIError("unknown", String(error));
}

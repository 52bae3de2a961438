/**
 * The tabs of this site know of each other's tools: a call of a tool that this page does not have
 * is left to a tab that has it.
 */
import type { ToolRegistry } from "../registry/registry.js";
import { uuid } from "./ids.js";

const CHANNEL = "agentui:tools";
/** How long the others may take to answer, in ms. */
const ANSWER = 300;

type Word =
  | { type: "who_has"; question: string; name: string; agent: string }
  | { type: "i_have"; question: string };

export class OtherTabs {
  readonly #registry: ToolRegistry;
  readonly #channel: BroadcastChannel | null;
  readonly #asked = new Map<string, (answer: boolean) => void>();

  constructor(registry: ToolRegistry) {
    this.#registry = registry;
    this.#channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(CHANNEL) : null;
    if (this.#channel) this.#channel.onmessage = (event) => this.#hear(event.data as Word);
  }

  /** True when another tab has a tool of this very name. */
  async have(name: string, agent: string): Promise<boolean> {
    if (this.#channel === null) return false;
    const question = uuid();
    this.#say({ type: "who_has", question, name, agent });
    const answered = new Promise<boolean>((resolve) => {
      this.#asked.set(question, resolve);
      setTimeout(() => resolve(false), ANSWER);
    });
    const answer = await answered;
    this.#asked.delete(question);
    return answer;
  }

  close(): void {
    this.#channel?.close();
  }

  #hear(word: Word): void {
    if (word.type === "i_have") this.#asked.get(word.question)?.(true);
    else if (this.#registry.getTool(word.name, { exact: true, agent: word.agent })) {
      this.#say({ type: "i_have", question: word.question });
    }
  }

  #say(word: Word): void {
    this.#channel?.postMessage(word);
  }
}

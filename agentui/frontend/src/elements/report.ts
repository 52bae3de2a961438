/**
 * Tells the page what happens in a thread, as DOM events: `agentui-message` when a message has come
 * to its end, `agentui-tool-call` when a call changes. What was there before is not reported.
 */
import type { MessageView, ToolCallView } from "../client/message-view.js";
import type { ThreadStore } from "../client/thread-store.js";

export interface MessageDetail {
  thread: string | null;
  message: MessageView;
}

export interface ToolCallDetail {
  thread: string | null;
  toolCall: ToolCallView;
}

export class ThreadReport {
  readonly #target: EventTarget;
  #known: Map<string, string> | null = null;

  constructor(target: EventTarget) {
    this.#target = target;
  }

  reset(): void {
    this.#known = null;
  }

  look(store: ThreadStore): void {
    if (!store.isLoaded) return;
    const before = this.#known;
    const now = new Map<string, string>();
    for (const message of store.messages) {
      now.set(message.id, message.status.type);
      const isNew = before !== null && before.get(message.id) !== message.status.type;
      if (isNew && message.status.type !== "running") {
        this.#fire("agentui-message", { thread: store.id, message } satisfies MessageDetail);
      }
      for (const part of message.parts) {
        if (part.type !== "tool_call") continue;
        now.set(part.id, part.status);
        if (before === null || before.get(part.id) === part.status) continue;
        this.#fire("agentui-tool-call", { thread: store.id, toolCall: part } satisfies ToolCallDetail);
      }
    }
    this.#known = now;
  }

  #fire(name: string, detail: MessageDetail | ToolCallDetail): void {
    this.#target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/**
 * Runs the agent's calls of this page's tools: each one once, in one tab, in their order.
 *
 * Only calls that are open in the server's rows are looked at, never arguments that still stream.
 * A call's turn comes when the browser calls before it in its message have their answers. A tab
 * claims a call before it runs it; the server lets one tab have it. After a reload the same tab may
 * claim it again. A call that has its answer never runs.
 */
import { ANSWERED, type Json } from "../core/index.js";
import { checkArguments } from "../registry/run.js";
import type { ToolRegistry } from "../registry/registry.js";
import { asksPerson, type Tool, type ToolOutcome } from "../registry/tool.js";
import type { Connection } from "./connection.js";
import { Emitter } from "./emitter.js";
import { AgentUIError } from "./errors.js";
import { tabId } from "./ids.js";
import { LeftCalls } from "./left-calls.js";
import { OtherTabs } from "./other-tabs.js";
import type { ToolCallRow } from "./rows.js";
import type { ThreadStore } from "./thread-store.js";

/** How long a page may take to register the tool that is asked for, in ms. */
const GRACE = 5_000;
/** A tab nobody looks at lets the others go first. */
const HIDDEN_PAUSE = 500;
const MAX_ATTEMPTS = 3;
/** Well within the server's lease on a claimed call. */
const RENEWAL = 20_000;
/** A call that was left to another tab is looked at again: that tab may be gone by then. */
const LEFT_TO_OTHERS = 15_000;
const OPEN: ReadonlySet<ToolCallRow["status"]> = new Set(["pending", "approved", "executing"]);
const TOO_LARGE = new Set(["frame_too_big", "too_large"]);
/** What the agent is told when the person does not let a tool run. */
export const DECLINED = { done: false, reason: "The person said no to this." } satisfies Json;

export class ToolRunner {
  /** `running` is another now. */
  readonly changed = new Emitter<void>();
  readonly #connection: Connection;
  readonly #registry: ToolRegistry;
  readonly #others: OtherTabs;
  readonly #left = new LeftCalls();
  readonly #running = new Map<string, AbortController>();
  /** Seen to the end on this page, refused to it, or in the hands of the person. */
  readonly #done = new Set<string>();
  readonly #timers = new Map<ThreadStore, ReturnType<typeof setTimeout>>();
  readonly #watched = new Set<ThreadStore>();
  #tab: string | null = null;

  constructor({ connection, registry }: { connection: Connection; registry: ToolRegistry }) {
    this.#connection = connection;
    this.#registry = registry;
    this.#others = new OtherTabs(registry);
  }

  /** Look after a thread's calls until the returned function is called. */
  watch(store: ThreadStore): () => void {
    let ended = false;
    const look = (): void => {
      if (!ended) this.#look(store);
    };
    void tabId().then((tab) => {
      this.#tab = tab;
      look();
    });
    this.#watched.add(store);
    const stops = [store.changed.subscribe(look), this.#registry.changed.subscribe(look)];
    return () => {
      ended = true;
      clearTimeout(this.#timers.get(store));
      this.#timers.delete(store);
      this.#watched.delete(store);
      for (const stop of stops) stop();
    };
  }

  close(): void {
    this.#others.close();
  }

  /** The ids of the calls that this page has in hand now: it looks for their tool, or runs it. */
  get running(): string[] {
    return [...this.#running.keys()];
  }

  /**
   * A person's answer to a call that waits for one. For a tool that asks before it runs, `true` lets
   * it run, and anything else is told to the agent as a no.
   */
  async respond(call: Pick<ToolCallRow, "id" | "kind">, result: Json): Promise<void> {
    const waiting = call.kind === "frontend" ? this.#find(call.id) : null;
    const tool = waiting && this.#registry.getTool(waiting.call.tool_name, { agent: waiting.store.agent });
    const asksFirst = tool?.renderAndWaitForResponse === undefined && Boolean(tool?.confirm);
    if (waiting && asksFirst && result === true) {
      if (!this.#running.has(call.id)) this.#begin(waiting.store, waiting.call, { isAllowed: true });
      return;
    }
    const tab = await tabId();
    if (call.kind === "frontend" && (await this.#claim(call.id, tab)) === null) {
      throw new AgentUIError("claimed_elsewhere", "This is being answered in another tab.");
    }
    const answer = asksFirst ? DECLINED : result;
    await this.#connection.command("submit_tool_result", { tool_call: call.id, tab, result: answer });
  }

  #look(store: ThreadStore): void {
    const blocked = new Set<string>();
    const calls = [...store.rows.toolCalls.values()].sort((a, b) => a.position - b.position);
    for (const call of calls) {
      if (call.kind !== "frontend") continue;
      if (ANSWERED.has(call.status)) {
        this.#settled(call.id);
        continue;
      }
      const isTurn = !blocked.has(call.message);
      blocked.add(call.message);
      if (!isTurn || this.#running.has(call.id) || this.#done.has(call.id)) continue;
      if (this.#isOpen(store, call)) this.#begin(store, call);
    }
  }

  #find(id: string): { store: ThreadStore; call: ToolCallRow } | null {
    for (const store of this.#watched) {
      const call = store.rows.toolCalls.get(id);
      if (call) return { store, call };
    }
    return null;
  }

  /** Open, and not in the hands of another tab whose lease still runs. */
  #isOpen(store: ThreadStore, call: ToolCallRow): boolean {
    if (this.#tab === null || !OPEN.has(call.status)) return false;
    if (call.claimed_by === "" || call.claimed_by === this.#tab) return true;
    const left = Date.parse(call.claim_expires_at ?? "") - Date.now();
    if (!(left > 0)) return true;
    // If that tab is gone, the call is free when its lease ends; nothing else will tell us.
    this.#lookAgain(store, left + 500 + Math.random() * 1500);
    return false;
  }

  #lookAgain(store: ThreadStore, wait: number): void {
    if (this.#timers.has(store)) return;
    const again = (): void => {
      this.#timers.delete(store);
      this.#look(store);
    };
    this.#timers.set(store, setTimeout(again, wait));
  }

  #settled(id: string): void {
    this.#running.get(id)?.abort();
    this.#left.delete(id);
    this.#done.delete(id);
  }

  #begin(store: ThreadStore, call: ToolCallRow, { isAllowed = false } = {}): void {
    const controller = new AbortController();
    this.#running.set(call.id, controller);
    this.changed.emit();
    void this.#answer(store, call, { signal: controller.signal, isAllowed })
      .catch((error: unknown) => {
        // Another tab was faster; its row says until when, and the next look comes with it.
        if (error instanceof AgentUIError && error.code === "claimed_elsewhere") return;
        // Refused (answered elsewhere, no longer open) or signed out: not tried again.
        if (!(error instanceof AgentUIError)) reportError(error);
        this.#done.add(call.id);
      })
      .finally(() => {
        this.#running.delete(call.id);
        this.changed.emit();
      });
  }

  async #answer(
    store: ThreadStore,
    call: ToolCallRow,
    { signal, isAllowed }: { signal: AbortSignal; isAllowed: boolean },
  ): Promise<void> {
    if (document.visibilityState === "hidden" && !isAllowed) await pause(HIDDEN_PAUSE);
    const isAnswered = this.#left.get(call.id)?.answer !== undefined;
    const tool = isAnswered ? null : await this.#toolFor(call.tool_name, store.agent, signal);
    if (signal.aborted) return;
    if (tool === null && !isAnswered && (await this.#others.have(call.tool_name, store.agent))) {
      return this.#lookAgain(store, LEFT_TO_OTHERS);
    }
    if (tool !== null && this.#isForPerson(tool, call, isAllowed)) {
      this.#done.add(call.id); // A person answers, by `respond`, in whichever tab.
      return;
    }
    const tab = this.#tab as string;
    const argsText = await this.#claim(call.id, tab);
    if (argsText === null) {
      this.#done.add(call.id);
      return;
    }
    const renewal = setInterval(() => void this.#claim(call.id, tab).catch(() => {}), RENEWAL);
    const outcome = await this.#run(store, { ...call, args_text: argsText || call.args_text }, signal);
    clearInterval(renewal);
    // A page that goes away before the server has heard the answer does not run the tool again.
    this.#left.set(call.id, { attempt: this.#left.get(call.id)?.attempt ?? 1, answer: outcome });
    if (!signal.aborted) await this.#submit(call.id, tab, outcome);
    this.#done.add(call.id);
  }

  /**
   * Arguments that do not fit, and a tool that is switched off, are answered without asking anybody;
   * so is a call that was allowed before the page went away.
   */
  #isForPerson(tool: Tool, call: ToolCallRow, isAllowed: boolean): boolean {
    if (isAllowed || !asksPerson(tool) || !this.#registry.isAvailable(tool)) return false;
    return this.#left.get(call.id) === null && typeof checkArguments(tool, call.args_text) !== "string";
  }

  /** The arguments of the call that is now ours, or null when it belongs to another tab. */
  async #claim(id: string, tab: string): Promise<string | null> {
    const answer = await this.#connection.command("claim_tool_call", { tool_call: id, tab });
    if (answer["claimed"] !== true) return null;
    return typeof answer["args_text"] === "string" ? answer["args_text"] : "";
  }

  async #run(store: ThreadStore, call: ToolCallRow, signal: AbortSignal): Promise<ToolOutcome> {
    const left = this.#left.get(call.id);
    if (left?.answer) return left.answer;
    const attempt = (left?.attempt ?? 0) + 1;
    if (attempt > MAX_ATTEMPTS) {
      return { error: `The page went away ${MAX_ATTEMPTS} times while the tool ran.` };
    }
    this.#left.set(call.id, { attempt });
    return this.#registry.runTool(call.tool_name, call.args_text, {
      agent: store.agent,
      signal,
      attempt,
      resumeWith: (result) => this.#left.set(call.id, { attempt, answer: { result } }),
      toolCall: {
        id: call.id,
        name: call.tool_name,
        argsText: call.args_text,
        thread: store.id,
      },
    });
  }

  async #submit(id: string, tab: string, outcome: ToolOutcome): Promise<void> {
    try {
      await this.#connection.command("submit_tool_result", { tool_call: id, tab, ...outcome });
    } catch (error) {
      if (!(error instanceof AgentUIError) || !TOO_LARGE.has(error.code)) throw error;
      const text = "The result is too large to send.";
      await this.#connection.command("submit_tool_result", { tool_call: id, tab, error: text });
    }
  }

  async #toolFor(name: string, agent: string, signal: AbortSignal): Promise<Tool | null> {
    const until = Date.now() + GRACE;
    for (;;) {
      const tool = this.#registry.getTool(name, { agent });
      if (tool !== null || signal.aborted || Date.now() >= until) return tool;
      await pause(100);
    }
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

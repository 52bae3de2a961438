/**
 * The tools of a page. Registering a name again replaces the tool: the latest handler runs, calls
 * in flight finish with theirs. Removing a tool keeps its renderer, so that history still shows.
 * A tool that is for one agent stands above one of its name that is for all.
 */
import { Emitter } from "../client/emitter.js";
import { uuid } from "../client/ids.js";
import type { JsonObject } from "../core/index.js";
import { ByAgent } from "./by-agent.js";
import { PageContext, type Readable } from "./context.js";
import type { Parameters } from "./infer.js";
import { toJsonSchema } from "./parameters.js";
import { runHandler } from "./run.js";
import type {
  Available,
  ReloadContext,
  Renderer,
  Tool,
  ToolCallInfo,
  ToolDefinition,
  ToolOutcome,
} from "./tool.js";

export const CATCH_ALL = "*";

export interface OfAgent {
  agent?: string | undefined;
}

export interface RunToolOptions extends Partial<ReloadContext>, OfAgent {
  signal?: AbortSignal;
  /** The agent's call; left out, the page itself runs the tool. */
  toolCall?: ToolCallInfo;
}

/** A tool begins (`outcome` is null) or has ended. */
export interface ToolRun {
  toolCall: ToolCallInfo;
  outcome: ToolOutcome | null;
}

export class ToolRegistry {
  /** Called when the tools that an agent may be told about, or how calls are shown, have changed. */
  readonly changed = new Emitter<void>();
  /** Called when a tool begins and when it has ended, whoever asked for it. */
  readonly runs = new Emitter<ToolRun>();
  /** What the page says about itself. */
  readonly context = new PageContext();
  readonly #tools = new ByAgent<Tool>();
  readonly #renderers = new ByAgent<Renderer>();
  readonly #available = new ByAgent<boolean>();

  /** Returns the function that removes this very tool, and not one that replaced it. */
  registerTool<const P extends Parameters>(given: Tool<P>): () => void {
    const tool = given as unknown as Tool;
    if (!tool.name) throw new TypeError("A tool needs a name.");
    this.#tools.set(tool.name, tool.agent, tool);
    const renderer = tool.renderAndWaitForResponse ?? tool.render;
    if (renderer) this.#renderers.set(tool.name, tool.agent, renderer);
    this.changed.emit();
    return () => {
      if (this.#tools.get(tool.name, tool.agent) === tool) this.unregisterTool(tool.name, tool);
    };
  }

  /** Without an agent: the tool that is for all. */
  unregisterTool(name: string, { agent }: OfAgent = {}): void {
    if (this.#tools.delete(name, agent)) this.changed.emit();
  }

  /** Shows calls of a tool, on the server or here, in a way of the page's own; `"*"` shows the rest. */
  registerRenderer(name: string, renderer: Renderer, { agent }: OfAgent = {}): () => void {
    this.#renderers.set(name, agent, renderer);
    this.changed.emit();
    return () => {
      if (this.#renderers.get(name, agent) !== renderer) return;
      this.#renderers.delete(name, agent);
      this.changed.emit();
    };
  }

  /** Something for agents to read with every message; see `PageContext`. */
  addContext(readable: Readable): () => void {
    return this.context.add(readable);
  }

  /** The tool for that name; without `exact`, the catch-all where there is none. */
  getTool(name: string, { exact = false, agent }: { exact?: boolean } & OfAgent = {}): Tool | null {
    return this.#tools.find(name, agent) ?? (exact ? null : this.#tools.find(CATCH_ALL, agent)) ?? null;
  }

  getRenderer(name: string, { agent }: OfAgent = {}): Renderer | null {
    return this.#renderers.find(name, agent) ?? this.#renderers.find(CATCH_ALL, agent) ?? null;
  }

  get names(): string[] {
    return [...new Set(this.#tools.values().map((tool) => tool.name))];
  }

  /** Stands above what the tool itself says, also when it is registered again. */
  setAvailable(name: string, available: Available, { agent }: OfAgent = {}): void {
    this.#available.set(name, agent, isOn(available));
    this.changed.emit();
  }

  isAvailable({ name, agent, available }: Tool): boolean {
    return this.#available.get(name, agent) ?? isOn(available);
  }

  /** What the server is told. The catch-all has no name a model could call. */
  definitions(): ToolDefinition[] {
    return this.#tools
      .values()
      .filter((tool) => tool.name !== CATCH_ALL && this.isAvailable(tool))
      .map((tool) => ({
        name: tool.name,
        description: tool.description ?? "",
        parameters: toJsonSchema(tool.parameters),
        ...(tool.followUp === false ? { follow_up: false } : {}),
        ...(tool.agent === undefined ? {} : { agent: tool.agent }),
      }));
  }

  /**
   * Run a tool of this page, as an agent would: arguments are checked, and an exception, a timeout
   * or an abort becomes an error. Never rejects.
   */
  async runTool(
    name: string,
    args: JsonObject | string = {},
    options: RunToolOptions = {},
  ): Promise<ToolOutcome> {
    const { toolCall: given, agent, ...rest } = options;
    const tool = this.getTool(name, { agent });
    if (tool === null) return { error: `There is no tool "${name}" on this page.` };
    if (!this.isAvailable(tool)) return { error: `The tool "${name}" is switched off.` };
    const argsText = typeof args === "string" ? args : JSON.stringify(args);
    const toolCall = given ?? { id: uuid(), name, argsText, thread: null };
    this.runs.emit({ toolCall, outcome: null });
    const outcome = await runHandler(tool, toolCall, rest);
    this.runs.emit({ toolCall, outcome });
    return outcome;
  }
}

function isOn(available: Available | undefined): boolean {
  return available !== false && available !== "disabled";
}

/** The registry of the page: every chat on it offers these tools unless it is given its own. */
export const registry = new ToolRegistry();

/**
 * The tools of a page. Registering a name again replaces the tool: the latest handler runs, calls
 * in flight finish with theirs. Removing a tool keeps its renderer, so that history still shows.
 */
import { Emitter } from "../client/emitter.js";
import type { JsonObject } from "../core/index.js";
import { uuid } from "../client/ids.js";
import { runHandler } from "./run.js";
import { toJsonSchema } from "./parameters.js";
import type { ReloadContext, Renderer, Tool, ToolCallInfo, ToolDefinition, ToolOutcome } from "./tool.js";

export const CATCH_ALL = "*";

export interface RunToolOptions extends Partial<ReloadContext> {
  signal?: AbortSignal;
  /** The agent's call; left out, the page itself runs the tool. */
  toolCall?: ToolCallInfo;
}

export class ToolRegistry {
  /** Called when the tools that an agent may be told about have changed. */
  readonly changed = new Emitter<void>();
  readonly #tools = new Map<string, Tool>();
  readonly #renderers = new Map<string, Renderer>();
  readonly #available = new Map<string, NonNullable<Tool["available"]>>();

  /** Returns the function that removes this very tool, and not one that replaced it. */
  registerTool(tool: Tool): () => void {
    if (!tool.name) throw new TypeError("A tool needs a name.");
    this.#tools.set(tool.name, tool);
    const renderer = tool.renderAndWaitForResponse ?? tool.render;
    if (renderer) this.#renderers.set(tool.name, renderer);
    this.changed.emit();
    return () => {
      if (this.#tools.get(tool.name) === tool) this.unregisterTool(tool.name);
    };
  }

  unregisterTool(name: string): void {
    if (this.#tools.delete(name)) this.changed.emit();
  }

  /** Shows calls of a tool, on the server or here, in a way of the page's own; `"*"` shows the rest. */
  registerRenderer(name: string, renderer: Renderer): () => void {
    this.#renderers.set(name, renderer);
    this.changed.emit();
    return () => {
      if (this.#renderers.get(name) !== renderer) return;
      this.#renderers.delete(name);
      this.changed.emit();
    };
  }

  /** The tool of that name; without `exact`, the catch-all where there is none. */
  getTool(name: string, { exact = false }: { exact?: boolean } = {}): Tool | null {
    return this.#tools.get(name) ?? (exact ? null : (this.#tools.get(CATCH_ALL) ?? null));
  }

  getRenderer(name: string): Renderer | null {
    return this.#renderers.get(name) ?? this.#renderers.get(CATCH_ALL) ?? null;
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Stands above what the tool itself says, also when it is registered again. */
  setAvailable(name: string, available: NonNullable<Tool["available"]>): void {
    this.#available.set(name, available);
    this.changed.emit();
  }

  isAvailable(tool: Tool): boolean {
    return (this.#available.get(tool.name) ?? tool.available) !== "disabled";
  }

  /** What the server is told. The catch-all has no name a model could call. */
  definitions(): ToolDefinition[] {
    return [...this.#tools.values()]
      .filter((tool) => tool.name !== CATCH_ALL && this.isAvailable(tool))
      .map((tool) => ({
        name: tool.name,
        description: tool.description ?? "",
        parameters: toJsonSchema(tool.parameters),
        ...(tool.followUp === false ? { follow_up: false } : {}),
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
    const tool = this.getTool(name);
    if (tool === null) return { error: `There is no tool "${name}" on this page.` };
    if (!this.isAvailable(tool)) return { error: `The tool "${name}" is switched off.` };
    const argsText = typeof args === "string" ? args : JSON.stringify(args);
    const { toolCall, ...rest } = options;
    return runHandler(tool, toolCall ?? { id: uuid(), name, argsText, thread: null }, rest);
  }
}

/** The registry of the page: every chat on it offers these tools unless it is given its own. */
export const registry = new ToolRegistry();

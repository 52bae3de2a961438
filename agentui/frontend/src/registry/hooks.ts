/**
 * CopilotKit's hooks without a framework: call one where a part of the page comes up, keep what it
 * returns, call `remove` where it goes away and `update` when something it closes over has changed.
 * Calls in flight finish with the handler they began with.
 */
import type { Parameters } from "./infer.js";
import type { Readable } from "./context.js";
import { registry as pageRegistry, type ToolRegistry } from "./registry.js";
import type { Renderer, Tool } from "./tool.js";

export interface Registration<T> {
  /** The same thing as it is now; what is not given stays. */
  update(changes: Partial<T>): void;
  remove(): void;
}

export interface HookOptions {
  registry?: ToolRegistry;
}

/** A tool for as long as a part of the page is there. */
export function useFrontendTool<const P extends Parameters>(
  tool: Tool<P>,
  { registry = pageRegistry }: HookOptions = {},
): Registration<Omit<Tool<P>, "name" | "agent">> {
  return keep(tool, (current) => registry.registerTool(current));
}

export type HumanTool<P extends Parameters = Parameters> = Pick<
  Tool<P>,
  "name" | "description" | "parameters" | "agent" | "available" | "followUp"
> & { render: NonNullable<Tool<P>["renderAndWaitForResponse"]> };

/** A question to the person: `render` is given `respond` while it waits for the answer. */
export function useHumanInTheLoop<const P extends Parameters>(
  tool: HumanTool<P>,
  { registry = pageRegistry }: HookOptions = {},
): Registration<Omit<HumanTool<P>, "name" | "agent">> {
  return keep(tool, ({ render, ...rest }) =>
    registry.registerTool({ ...rest, renderAndWaitForResponse: render } as Tool<P>),
  );
}

/** Something the agent may show in the chat: a tool without a handler. */
export function useComponent<const P extends Parameters>(
  component: Pick<Tool<P>, "name" | "description" | "parameters" | "agent"> & {
    render: NonNullable<Tool<P>["render"]>;
  },
  { registry = pageRegistry }: HookOptions = {},
): Registration<Pick<Tool<P>, "description" | "render">> {
  const description = component.description ?? `Show the "${component.name}" component in the chat.`;
  return keep({ ...component, description }, (current) => registry.registerTool(current as Tool<P>));
}

/** How calls of a tool look, wherever it runs; `"*"` for all that have no renderer. */
export function useRenderTool(
  view: { name: string; agent?: string; render: Renderer },
  { registry = pageRegistry }: HookOptions = {},
): Registration<{ render: Renderer }> {
  return keep(view, ({ name, agent, render }) => registry.registerRenderer(name, render, { agent }));
}

/** Something for agents to read while a part of the page is there. */
export function useAgentContext(
  readable: Readable,
  { registry = pageRegistry }: HookOptions = {},
): Registration<Readable> {
  return keep(readable, (current) => registry.addContext(current));
}

function keep<T extends object>(first: T, register: (current: T) => () => void): Registration<Partial<T>> {
  let current = first;
  let remove = register(current);
  let isRemoved = false;
  return {
    update(changes) {
      if (isRemoved) return;
      remove();
      current = { ...current, ...changes };
      remove = register(current);
    },
    remove() {
      isRemoved = true;
      remove();
    },
  };
}

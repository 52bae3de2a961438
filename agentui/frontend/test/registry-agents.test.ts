import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ToolRegistry,
  fromJsonSchema,
  toJsonSchema,
  useAgentContext,
  useComponent,
  useFrontendTool,
  useHumanInTheLoop,
  useRenderTool,
  type Parameter,
} from "../src/registry/index.js";

let registry: ToolRegistry;

beforeEach(() => {
  registry = new ToolRegistry();
});
afterEach(() => void vi.unstubAllGlobals());

describe("a tool for one agent", () => {
  it("stands above the one for all, for that agent only", async () => {
    registry.registerTool({ name: "x", handler: () => "all" });
    registry.registerTool({ name: "x", agent: "a", handler: () => "a" });
    await expect(registry.runTool("x", {}, { agent: "a" })).resolves.toEqual({ result: "a" });
    await expect(registry.runTool("x", {}, { agent: "b" })).resolves.toEqual({ result: "all" });
    await expect(registry.runTool("x")).resolves.toEqual({ result: "all" });
    expect(registry.definitions().map((tool) => [tool.name, tool.agent])).toEqual([["x", undefined], ["x", "a"]]);
  });

  it("and is removed alone, as is the one for all", () => {
    const remove = registry.registerTool({ name: "x", agent: "a" });
    registry.registerTool({ name: "x" });
    registry.unregisterTool("x");
    expect(registry.getTool("x")).toBeNull();
    expect(registry.getTool("x", { agent: "a" })).not.toBeNull();
    remove();
    expect(registry.getTool("x", { agent: "a" })).toBeNull();
  });

  it("its catch-all comes after the named tools of all", async () => {
    registry.registerTool({ name: "*", agent: "a", handler: () => "caught for a" });
    registry.registerTool({ name: "*", handler: () => "caught" });
    registry.registerTool({ name: "x", handler: () => "named" });
    await expect(registry.runTool("x", {}, { agent: "a" })).resolves.toEqual({ result: "named" });
    await expect(registry.runTool("y", {}, { agent: "a" })).resolves.toEqual({ result: "caught for a" });
    await expect(registry.runTool("y", {}, { agent: "b" })).resolves.toEqual({ result: "caught" });
  });

  it("has renderers of its own", () => {
    const [all, one] = [() => "all", () => "one"];
    registry.registerRenderer("x", all);
    const remove = registry.registerRenderer("x", one, { agent: "a" });
    expect([registry.getRenderer("x", { agent: "a" }), registry.getRenderer("x")]).toEqual([one, all]);
    remove();
    expect(registry.getRenderer("x", { agent: "a" })).toBe(all);
  });
});

describe("readables", () => {
  it("are asked when they are needed; values that are no text are JSON", () => {
    let basket = ["tea"];
    registry.addContext({ description: "Basket", value: () => basket });
    expect(registry.context.of("a")).toEqual([{ description: "Basket", value: '["tea"]' }]);
    basket = ["milk"];
    expect(registry.context.of("a")).toEqual([{ description: "Basket", value: '["milk"]' }]);
  });

  it("one that throws is left out and reported, one that is too long is cut", () => {
    const report = vi.fn();
    vi.stubGlobal("reportError", report);
    registry.addContext({ description: "Bad", value: () => { throw new Error("mine"); } }); // prettier-ignore
    registry.addContext({ description: "Long", value: "x".repeat(30_000) });
    const [only, ...others] = registry.context.of("a");
    expect(others).toEqual([]);
    expect(only?.value).toHaveLength(20_000);
    expect(report).toHaveBeenCalledOnce();
  });

  it("are taken away by what `addContext` returns", () => {
    const remove = registry.addContext({ description: "Here", value: "now" });
    remove();
    expect(registry.context.of("a")).toEqual([]);
  });
});

describe("hooks", () => {
  it("an update replaces the handler; a call in flight finishes with its own", async () => {
    let finish: (value: string) => void = () => {};
    const first = () => new Promise((resolve) => (finish = resolve));
    const hook = useFrontendTool({ name: "x", handler: first }, { registry });
    const running = registry.runTool("x");
    hook.update({ handler: () => "second" });
    await expect(registry.runTool("x")).resolves.toEqual({ result: "second" });
    finish("first");
    await expect(running).resolves.toEqual({ result: "first" });
    hook.remove();
    hook.update({ handler: () => "after" });
    expect(registry.getTool("x")).toBeNull();
  });

  it("a question is a tool that renders and waits", () => {
    const render = (): string => "question";
    useHumanInTheLoop({ name: "ask", render, parameters: [{ name: "why" }] }, { registry });
    expect(registry.getTool("ask")?.renderAndWaitForResponse).toBe(render);
    expect(registry.getRenderer("ask")).toBe(render);
  });

  it("a component answers with nothing", async () => {
    useComponent({ name: "chart", render: () => "chart" }, { registry });
    await expect(registry.runTool("chart")).resolves.toEqual({ result: null });
    expect(registry.definitions()[0]?.description).toContain("chart");
  });

  it("a renderer and a readable can be updated and removed", () => {
    const view = useRenderTool({ name: "x", render: () => "one" }, { registry });
    const two = (): string => "two";
    view.update({ render: two });
    view.update({});
    expect(registry.getRenderer("x")).toBe(two);
    view.remove();
    expect(registry.getRenderer("x")).toBeNull();
    const readable = useAgentContext({ description: "Page", value: 1 }, { registry });
    readable.update({ value: 2 });
    expect(registry.context.of("a")).toEqual([{ description: "Page", value: "2" }]);
    readable.remove();
    expect(registry.context.of("a")).toEqual([]);
  });
});

it("whoever listens hears when a tool begins and how it ended", async () => {
  const heard: unknown[] = [];
  registry.runs.subscribe(({ toolCall, outcome }) => heard.push([toolCall.name, outcome]));
  registry.registerTool({ name: "x", handler: () => 1 });
  await registry.runTool("x");
  expect(heard).toEqual([["x", null], ["x", { result: 1 }]]);
});

describe("the short list and JSON Schema", () => {
  const list: Parameter[] = [
    { name: "title", type: "string", description: "Its name." },
    { name: "size", type: "string", enum: ["s", "m"], required: false },
    { name: "counts", type: "number[]" },
    { name: "rows", type: "object[]", attributes: [{ name: "id", type: "number" }] },
    { name: "any", type: "object" },
  ];

  it("say the same both ways", () => {
    expect(fromJsonSchema(toJsonSchema(list))).toEqual(list);
  });

  it("a nullable type is not required, an integer a number; arrays in arrays have no short form", () => {
    const properties = { n: { type: ["integer", "null"] }, s: {} };
    expect(fromJsonSchema({ type: "object", properties, required: ["n", "s"] })).toEqual([
      { name: "n", type: "number", required: false },
      { name: "s", type: "string" },
    ]);
    const nested = { type: "array", items: { type: "array", items: { type: "string" } } };
    expect(() => fromJsonSchema({ type: "object", properties: { nested } })).toThrow(TypeError);
  });
});

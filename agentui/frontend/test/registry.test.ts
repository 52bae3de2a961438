import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { problems, ToolRegistry, toJsonSchema, type Tool } from "../src/registry/index.js";

let registry: ToolRegistry;

beforeEach(() => {
  registry = new ToolRegistry();
});
afterEach(() => {
  vi.useRealTimers();
});

const tool = (fields: Partial<Tool> = {}): Tool => ({ name: "greet", handler: () => "hello", ...fields });

describe("registering", () => {
  it("the latest tool of a name runs", async () => {
    registry.registerTool(tool());
    registry.registerTool(tool({ handler: () => "newer" }));
    await expect(registry.runTool("greet")).resolves.toEqual({ result: "newer" });
    expect(registry.definitions()).toHaveLength(1);
  });

  it("a call in flight finishes with its own handler", async () => {
    let finish: (value: string) => void = () => {};
    registry.registerTool(tool({ handler: () => new Promise((resolve) => (finish = resolve)) }));
    const outcome = registry.runTool("greet");
    registry.registerTool(tool({ handler: () => "newer" }));
    finish("older");
    await expect(outcome).resolves.toEqual({ result: "older" });
  });

  it("an unregister function removes its own tool only", () => {
    const remove = registry.registerTool(tool());
    const newer = tool({ handler: () => "newer" });
    registry.registerTool(newer);
    remove();
    expect(registry.getTool("greet")).toBe(newer);
  });

  it("a removed tool is gone, its renderer stays", async () => {
    const render = (): string => "card";
    registry.registerTool(tool({ render }))();
    expect(registry.getTool("greet")).toBeNull();
    expect(registry.getRenderer("greet")).toBe(render);
    await expect(registry.runTool("greet")).resolves.toEqual({ error: 'There is no tool "greet" on this page.' });
  });

  it("tells who listens, and a listener that throws harms nobody", () => {
    const heard = vi.fn();
    vi.stubGlobal("reportError", vi.fn());
    registry.changed.subscribe(() => {
      throw new Error("mine");
    });
    registry.changed.subscribe(heard);
    registry.registerTool(tool());
    expect(heard).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
  });

  it("needs a name", () => {
    expect(() => registry.registerTool(tool({ name: "" }))).toThrow(TypeError);
  });
});

describe("what the server is told", () => {
  it("names, descriptions, schemas; not the catch-all, not what is switched off", () => {
    registry.registerTool(tool({ description: "Greets.", parameters: [{ name: "who" }], followUp: false }));
    registry.registerTool(tool({ name: "hidden", available: "disabled" }));
    registry.registerTool(tool({ name: "*" }));
    expect(registry.definitions()).toEqual([
      {
        name: "greet",
        description: "Greets.",
        parameters: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
        follow_up: false,
      },
    ]);
  });

  it("switching off hides a tool and refuses a late call, also after it is registered again", async () => {
    registry.registerTool(tool());
    registry.setAvailable("greet", "disabled");
    registry.registerTool(tool());
    expect(registry.definitions()).toEqual([]);
    await expect(registry.runTool("greet")).resolves.toEqual({ error: 'The tool "greet" is switched off.' });
    registry.setAvailable("greet", "enabled");
    await expect(registry.runTool("greet")).resolves.toEqual({ result: "hello" });
  });
});

describe("running", () => {
  it.each<[unknown, unknown]>([
    [undefined, null],
    [{ at: new Date(0) }, { at: "1970-01-01T00:00:00.000Z" }],
    [0, 0],
  ])("a handler's %j becomes %j", async (value, result) => {
    registry.registerTool(tool({ handler: () => value }));
    await expect(registry.runTool("greet")).resolves.toEqual({ result });
  });

  it.each<[string, () => unknown, string]>([
    ["throws", () => { throw new Error("no luck"); }, "no luck"],
    ["rejects with anything", () => Promise.reject("plain"), "plain"],
    ["returns what is not JSON", () => { const loop: Record<string, unknown> = {}; loop["self"] = loop; return loop; }, "circular"],
  ])("a handler that %s makes an error", async (_name, handler, text) => {
    registry.registerTool(tool({ handler }));
    expect(await registry.runTool("greet")).toEqual({ error: expect.stringContaining(text) });
  }); // prettier-ignore

  it("the catch-all takes what no other tool takes, and is told its name", async () => {
    registry.registerTool(tool());
    registry.registerTool({ name: "*", handler: (args, { toolCall }) => [toolCall.name, args] });
    await expect(registry.runTool("odd", { a: 1 })).resolves.toEqual({ result: ["odd", { a: 1 }] });
    await expect(registry.runTool("greet")).resolves.toEqual({ result: "hello" });
  });

  it.each<[string, string]>([
    ["{", "not JSON"],
    ["[1]", "not a JSON object"],
    ['{"n": "x"}', '"n" must be integer'],
    ["{}", '"n" is missing'],
  ])("arguments %s never reach the handler", async (args, text) => {
    const handler = vi.fn();
    const parameters = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    registry.registerTool(tool({ handler, parameters }));
    expect(await registry.runTool("greet", args)).toEqual({ error: expect.stringContaining(text) });
    expect(handler).not.toHaveBeenCalled();
  });

  it("no arguments at all are an empty object", async () => {
    registry.registerTool(tool({ handler: (args) => args }));
    await expect(registry.runTool("greet", "")).resolves.toEqual({ result: {} });
  });

  it("a handler that takes too long is told and answered for", async () => {
    vi.useFakeTimers();
    let signal: AbortSignal | undefined;
    registry.registerTool(tool({ handler: (_args, context) => ((signal = context.signal), new Promise(() => {})) }));
    const outcome = registry.runTool("greet");
    await vi.advanceTimersByTimeAsync(29_999);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await expect(outcome).resolves.toEqual({ error: "The tool did not answer within 30 s." });
    expect(signal?.aborted).toBe(true);
  });

  it("without a limit it may take for ever", async () => {
    vi.useFakeTimers();
    let finish: (value: string) => void = () => {};
    registry.registerTool(tool({ timeout: null, handler: () => new Promise((resolve) => (finish = resolve)) }));
    const outcome = registry.runTool("greet");
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    finish("late");
    await expect(outcome).resolves.toEqual({ result: "late" });
  });

  it("an abort before or while it runs makes an error", async () => {
    const handler = vi.fn(() => new Promise(() => {}));
    registry.registerTool(tool({ handler }));
    await expect(registry.runTool("greet", {}, { signal: AbortSignal.abort() })).resolves.toEqual({
      error: "The call was cancelled before it began.",
    });
    expect(handler).not.toHaveBeenCalled();
    const controller = new AbortController();
    const outcome = registry.runTool("greet", {}, { signal: controller.signal });
    controller.abort();
    await expect(outcome).resolves.toEqual({ error: "The call was cancelled while it ran." });
  });
});

describe("the short parameter list", () => {
  it("is the JSON Schema it stands for", () => {
    const schema = toJsonSchema([
      { name: "title", description: "Its name." },
      { name: "size", type: "string", enum: ["s", "m"], required: false },
      { name: "counts", type: "number[]" },
      { name: "rows", type: "object[]", attributes: [{ name: "id", type: "number" }, { name: "note", required: false }] },
      { name: "any", type: "object", description: "Anything." },
    ]);
    expect(schema).toEqual({
      type: "object",
      properties: {
        title: { type: "string", description: "Its name." },
        size: { type: "string", enum: ["s", "m"] },
        counts: { type: "array", items: { type: "number" } },
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "number" }, note: { type: "string" } },
            required: ["id"],
          },
        },
        any: { type: "object", description: "Anything." },
      },
      required: ["title", "counts", "rows", "any"],
    });
  });
});

describe("the schema check", () => {
  const address = { type: "object", properties: { zip: { type: "string", pattern: "^\\d{5}$" } }, required: ["zip"], additionalProperties: false };

  it.each<[string, unknown, Record<string, unknown>]>([
    ["one of several types", null, { type: ["string", "null"] }],
    ["a reference", { home: { zip: "75001" } }, { $defs: { a: address }, properties: { home: { $ref: "#/$defs/a" } } }],
    ["anyOf", 5, { anyOf: [{ type: "string" }, { minimum: 3 }] }],
    ["an unknown keyword", 5, { format: "hologram", type: "integer" }],
    ["a reference to itself", { next: { next: {} } }, { properties: { next: { $ref: "#" } } }],
    ["astral characters counted once", "👍👍", { maxLength: 2 }],
  ])("%s fits", (_name, value, schema) => {
    expect(problems(value as never, schema as never)).toEqual([]);
  });

  it.each<[unknown, Record<string, unknown>, string]>([
    [{ zip: "x" }, address, '"zip" must match ^\\d{5}$'],
    [{ zip: "75001", evil: 1 }, address, '"evil" is not allowed'],
    [{ list: [1, "2"] }, { properties: { list: { items: { type: "number" } } } }, '"list[1]" must be number'],
    [{ n: 0 }, { properties: { n: { exclusiveMinimum: 0 } } }, '"n" must be more than 0'],
    [{ n: 1.5 }, { properties: { n: { type: "integer" } } }, '"n" must be integer'],
    [{ c: "x" }, { properties: { c: { enum: ["a", "b"] } } }, '"c" must be one of "a", "b"'],
    [1, { oneOf: [{ type: "number" }, { minimum: 0 }] }, "The arguments object must fit exactly one of the forms"],
    [{}, { required: ["__proto__"] }, '"__proto__" is missing'],
  ])("%j does not fit", (value, schema, problem) => {
    expect(problems(value as never, schema as never)).toEqual([problem]);
  });
});

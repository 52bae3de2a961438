/** The types that a handler's arguments have; `tsc` checks this file, the runner only runs it. */
import { expect, expectTypeOf, it } from "vitest";
import type { JsonObject } from "../src/core/index.js";
import { ToolRegistry, useFrontendTool, type ArgumentsOf, type Parameter } from "../src/registry/index.js";

const registry = new ToolRegistry();

it("a short list written in place", () => {
  registry.registerTool({
    name: "short",
    parameters: [
      { name: "theme", enum: ["light", "dark"] },
      { name: "size", type: "number", required: false },
      { name: "tags", type: "string[]" },
      { name: "rows", type: "object[]", attributes: [{ name: "id", type: "number" }, { name: "note", required: false }] },
      { name: "any", type: "object" },
    ],
    handler(args) {
      expectTypeOf(args.theme).toEqualTypeOf<"light" | "dark">();
      expectTypeOf(args.size).toEqualTypeOf<number | undefined>();
      expectTypeOf(args.tags).toEqualTypeOf<string[]>();
      expectTypeOf(args.rows).toEqualTypeOf<{ id: number; note?: string }[]>();
      expectTypeOf(args.any).toEqualTypeOf<JsonObject>();
      // @ts-expect-error there is no such argument
      return args.missing;
    },
    render({ args }) {
      expectTypeOf(args.theme).toEqualTypeOf<"light" | "dark" | undefined>();
      return "";
    },
  });
});

it("a JSON Schema written in place", () => {
  useFrontendTool(
    {
      name: "schema",
      parameters: {
        type: "object",
        properties: {
          n: { type: "integer" },
          maybe: { type: ["string", "null"] },
          kind: { enum: ["a", "b"] },
          list: { type: "array", items: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } },
        },
        required: ["n", "list"],
      },
      handler(args) {
        expectTypeOf(args.n).toEqualTypeOf<number>();
        expectTypeOf(args.maybe).toEqualTypeOf<string | null | undefined>();
        expectTypeOf(args.kind).toEqualTypeOf<"a" | "b" | undefined>();
        expectTypeOf(args.list).toEqualTypeOf<{ ok: boolean }[]>();
        return args.n;
      },
    },
    { registry },
  );
});

it("anything that is only known later is a JSON object", () => {
  expectTypeOf<ArgumentsOf<readonly Parameter[]>>().toEqualTypeOf<JsonObject>();
  expectTypeOf<ArgumentsOf<JsonObject>>().toEqualTypeOf<JsonObject>();
  registry.registerTool({ name: "bare", handler: (args) => void expectTypeOf(args).toEqualTypeOf<JsonObject>() });
  expect(registry.names).toContain("bare");
});

import { describe, expect, it } from "vitest";
import {
  applyOperations,
  indentJson,
  parseJson,
  parsePartial,
  showJson,
  visible,
  type Json,
} from "../src/core/index.js";

describe("state operations", () => {
  const set = (path: string[], value: Json): Json => ({ type: "set", path, value });

  it("make objects where nothing is, and share what does not change", () => {
    const state = { kept: { deep: 1 } };
    const after = applyOperations(state, [set(["user", "name"], "Jane")]) as { kept: Json };
    expect(after).toEqual({ kept: { deep: 1 }, user: { name: "Jane" } });
    expect(after.kept).toBe(state.kept);
  });

  it("append to a list at its length, and beyond it only when lenient", () => {
    expect(applyOperations({ l: ["a"] }, [set(["l", "1"], "b")])).toEqual({ l: ["a", "b"] });
    expect(applyOperations({ l: ["a"] }, [set(["l", "5"], "b")])).toEqual({ l: ["a", "b"] });
    expect(() => applyOperations({ l: [] }, [set(["l", "5"], "b")], { strict: true })).toThrow("out of bounds");
  });

  it.each(["__proto__", "constructor", "prototype"])("refuse %s and go on", (name) => {
    const after = applyOperations({}, [set([name, "x"], 1), set(["ok"], 1)]);
    expect(after).toEqual({ ok: 1 });
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it("append text to text only", () => {
    const append = (value: Json): Json => ({ type: "append-text", path: ["m"], value });
    expect(applyOperations({ m: "a" }, [append("b")])).toEqual({ m: "ab" });
    expect(() => applyOperations({}, [append("b")], { strict: true })).toThrow("Expected string at path [m]");
  });
});

describe("arguments that still arrive", () => {
  it.each<[string, Json]>([
    ["", {}],
    ["{", {}],
    ['{"a": "b', { a: "b" }],
    ['{"a": "b", "c', { a: "b" }],
    ['{"a": 12', { a: 12 }],
    ['{"a": -', {}],
    ['{"a": tr', {}],
    ['{"a": [1, {"b": "x\\u00', { a: [1, { b: "x" }] }],
    ['{"a": "x\\\\', { a: "x\\" }],
    ['{"a": "x\\', { a: "x" }],
    ['{"a": {"b": 1}, ', { a: { b: 1 } }],
  ])("%s", (text, value) => {
    expect(parsePartial(text)).toEqual({ value, state: "partial" });
  });

  it.each(["[1", "12", "nope", '{"a": tru, ', '{"__proto__": {"x": 1}}', '{"a":1} x'])("%s is no object", (text) => {
    expect(parsePartial(text)).toBeNull();
  });

  it("knows when it is whole", () => {
    expect(parsePartial('{"a": [true, null]} ')).toEqual({ value: { a: [true, null] }, state: "complete" });
  });
});

describe("JSON as it is shown", () => {
  it("keeps the digits of big integers", () => {
    expect(showJson(parseJson('{"id":9007199254740993}'))).toContain("9007199254740993");
    expect(indentJson('{"id":9007199254740993,"a":[]}')).toBe('{\n  "id": 9007199254740993,\n  "a": []\n}');
  });

  it("leaves text in strings alone, also when it is cut", () => {
    expect(indentJson('{"a":"{,:\\"}')).toBe('{\n  "a": "{,:\\"}');
  });

  it("writes out what cannot be seen", () => {
    expect(visible("pay\u202e me\u200b\u0000")).toBe("pay⟨U+202E⟩ me⟨U+200B⟩⟨U+0000⟩");
    expect(visible("Ünï 中文 👍\n\tok")).toBe("Ünï 中文 👍\n\tok");
  });
});

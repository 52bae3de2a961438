import { describe, expect, it } from "vitest";
import { questionOf, readAnswer } from "../src/elements/question.js";
import { rememberedThread, rememberThread } from "../src/elements/route.js";
import { setTexts, t } from "../src/elements/texts.js";
import { age, relative } from "../src/elements/time.js";
import { readArgs, summary, toolTitle } from "../src/elements/values.js";
import type { JsonObject } from "../src/core/index.js";

function formData(entries: [string, string][]): FormData {
  const data = new FormData();
  for (const [name, value] of entries) data.append(name, value);
  return data;
}

describe("a question read from a tool's arguments", () => {
  it.each<[JsonObject]>([[{ question: "Which?" }], [{ prompt: "Which?" }], [{ title: "Which?" }]])("%j", (args) => {
    const question = questionOf(args);
    expect(question).toMatchObject({ text: "Which?", choices: [], isForm: false });
    expect(readAnswer(question, formData([["answer", " this one "]]))).toBe("this one");
    expect(readAnswer(question, formData([["answer", "  "]]))).toBeNull();
  });

  it("offers what is to choose from, and answers with its value", () => {
    const question = questionOf({ question: "?", options: ["a", 2, { label: "Third", value: { id: 3 } }] });
    expect(question.choices).toEqual([
      { label: "a", value: "a" },
      { label: "2", value: 2 },
      { label: "Third", value: { id: 3 } },
    ]);
    expect(question.fields).toEqual([]);
  });

  it("several at once when it says so", () => {
    const question = questionOf({ choices: ["a", "b", "c"], multiple: true });
    expect(readAnswer(question, formData([["choice", "0"], ["choice", "2"]]))).toEqual(["a", "c"]);
    expect(readAnswer(question, formData([]))).toBeNull();
  });

  it("is a form when it has a schema", () => {
    const question = questionOf({
      question: "?",
      schema: {
        type: "object",
        properties: {
          name: { type: "string", title: "Your name" },
          age: { type: "integer" },
          gift: { type: "boolean" },
          size: { enum: [1, 2] },
          when: { type: "string", format: "date" },
        },
        required: ["name"],
      },
    });
    expect(question.fields.map((field) => [field.name, field.label, field.type, field.required])).toEqual([
      ["name", "Your name", "text", true],
      ["age", "age", "number", false],
      ["gift", "gift", "boolean", false],
      ["size", "size", "text", false],
      ["when", "when", "date", false],
    ]);
    const data = formData([["name", "Mia"], ["age", "7"], ["size", "2"], ["when", ""]]);
    expect(readAnswer(question, data)).toEqual({ name: "Mia", age: 7, gift: false, size: 2 });
  });

  it("odd arguments still make a question", () => {
    expect(questionOf({ question: 5, choices: "a", schema: [] })).toMatchObject({ text: "", choices: [], isForm: false });
  });
});

describe("arguments as people read them", () => {
  it("keep the digits of big numbers, whole or still arriving", () => {
    expect(summary(readArgs('{"id": 9007199254740993, "name": "x"}'))).toBe("9007199254740993 · x");
    expect(readArgs('{"name": "Mi')).toEqual({ name: "Mi" });
    expect(readArgs("nonsense")).toEqual({});
  });

  it("the summary leaves out what is nested or empty, and shows what hides", () => {
    expect(summary({ a: [1], b: {}, c: "", d: null, e: "pay\u202e", f: false })).toBe("pay⟨U+202E⟩ · false");
  });

  it("a tool's name reads as words", () => {
    expect(toolTitle("refund_order")).toBe("Refund order");
    expect(toolTitle("")).toBe("");
  });
});

describe("the thread that was open", () => {
  const inAddress = { route: "/help/t/{thread}/", home: "/help/", agent: "a" };

  it("is in the address when there is a route", () => {
    rememberThread(inAddress, "abc", { push: false });
    expect(location.pathname).toBe("/help/t/abc/");
    expect(rememberedThread(inAddress)).toBe("abc");
    rememberThread(inAddress, "", { push: true });
    expect(location.pathname).toBe("/help/");
    expect(rememberedThread(inAddress)).toBe("");
  });

  it("is remembered for the tab otherwise, for each agent", () => {
    const [a, b] = ["a", "b"].map((agent) => ({ route: null, home: null, agent }));
    rememberThread(a as never, "abc", { push: true });
    expect(rememberedThread(a as never)).toBe("abc");
    expect(rememberedThread(b as never)).toBe("");
    rememberThread(a as never, "", { push: true });
    expect(rememberedThread(a as never)).toBe("");
  });
});

describe("words and times", () => {
  it("words can be replaced, places in them are filled", () => {
    expect(t("versionOf", { n: 1, total: 3 })).toBe("1 of 3");
    setTexts({ versionOf: "{n} / {total}" });
    expect(t("versionOf", { n: 1, total: 3 })).toBe("1 / 3");
  });

  it("times are near or far", () => {
    const now = Date.UTC(2026, 0, 10, 12);
    const at = (hours: number): string => new Date(now + hours * 3_600_000).toISOString();
    expect(relative(at(0.5), now)).toContain("30 minutes");
    expect(relative(at(23), now)).toContain("23 hours");
    expect(relative(at(-72), now)).toContain("3 days ago");
    const noon = new Date(2026, 0, 10, 12);
    const local = (day: number): string => new Date(2026, 0, day, 9).toISOString();
    expect([10, 9, 5, 1].map((day) => age(local(day), noon))).toEqual(["today", "yesterday", "lastWeek", "older"]);
  });
});

/** What a reader has before them: the window on a long thread, events, details, sub-agents, colours. */
import { beforeAll, describe, expect, it } from "vitest";
import { messageRow, callRow, runRow } from "../dev/rows.js";
import { joinToolCall, type MessageView } from "../src/client/index.js";
import { BadArgument, changedArguments } from "../src/elements/argument-fields.js";
import { eventLine } from "../src/elements/event-line.js";
import { factsOf } from "../src/elements/message-details.js";
import { partsWithText } from "../src/elements/message-text.js";
import { MessageWindow } from "../src/elements/message-window.js";
import { messagesIn, nestedView } from "../src/elements/nested-messages.js";
import { suggestionsView } from "../src/elements/thread-parts.js";
import { html, render } from "lit";

const view = (fields: object): MessageView => messageRow("m1", fields) as MessageView;

function textOf(template: unknown): string {
  const box = document.createElement("div");
  render(html`${template}`, box);
  return (box.textContent ?? "").replace(/\s+/g, " ").trim();
}

describe("the window on a long thread", () => {
  const messages = Array.from({ length: 10_000 }, (_, at) => ({ id: `m${at}` }));

  it("shows the newest until the reader leaves the end", () => {
    const window = new MessageWindow();
    expect(window.range(messages)).toEqual({ from: 9_940, to: 10_000 });
    window.hold(messages);
    const longer = [...messages, { id: "new" }];
    expect(window.range(longer)).toEqual({ from: 9_940, to: 10_001 });
    window.toEnd();
    expect(window.range(longer)).toEqual({ from: 9_941, to: 10_001 });
  });

  it("goes up and down and never shows more than so many", () => {
    const window = new MessageWindow();
    window.hold(messages);
    for (let step = 0; step < 300; step++) {
      window.older(messages);
      const { from, to } = window.range(messages);
      expect(to - from).toBeLessThanOrEqual(140);
    }
    expect(window.range(messages)).toEqual({ from: 0, to: 140 });
    for (let step = 0; step < 300; step++) window.newer(messages);
    expect(window.range(messages)).toEqual({ from: 9_880, to: 10_000 });
  });

  it("stays where it is when earlier messages are loaded before it", () => {
    const window = new MessageWindow();
    const page = messages.slice(9_950);
    window.hold(page);
    const loaded = messages.slice(9_850);
    expect(loaded[window.range(loaded).from]).toEqual({ id: "m9950" });
    window.older(loaded);
    expect(loaded[window.range(loaded).from]).toEqual({ id: "m9910" });
  });

  it("an unknown first message, as after a switch to another branch, is the end", () => {
    const window = new MessageWindow();
    window.hold(messages);
    expect(window.range([{ id: "a" }, { id: "b" }])).toEqual({ from: 0, to: 2 });
    expect(window.range([])).toEqual({ from: 0, to: 0 });
  });
});

describe("an event", () => {
  const event = (data: unknown): string =>
    textOf(eventLine(view({ role: "event", parts: [{ type: "text", text: "For the model." }, { type: "data", name: "tool_call_outcome", data }] })));

  it("is one short line, without what the model is told", () => {
    expect(event({ tool_name: "refund_order", status: "complete" })).toBe("Refund order was approved and has run.");
    expect(event({ tool_name: "refund_order", status: "denied" })).toBe("Refund order was denied.");
  });

  it("odd data makes no odd line", () => {
    for (const data of [null, 5, {}, { tool_name: 1, status: "complete" }, { tool_name: "a", status: "constructor" }]) {
      expect(event(data)).toBe("There is news.");
    }
  });
});

describe("what an answer took", () => {
  it("is said as far as it is known", () => {
    const run = runRow("r1", {
      started_at: "2026-11-14T12:00:00.000+00:00",
      finished_at: "2026-11-14T12:00:03.240+00:00",
      usage: { input_tokens: 1204, output_tokens: 31 },
      roundtrips: 2,
    });
    expect(factsOf(view({ model: "openai:x\u202e" }), run)).toEqual([
      "3.2 s", "1,204 tokens read", "31 tokens written", "2 steps", "openai:x⟨U+202E⟩",
    ]); // prettier-ignore
    expect(factsOf(view({}), null)).toEqual([]);
  });
});

describe("suggestions", () => {
  it("stand below a complete answer, with odd ones left out", () => {
    const suggestions = [{ prompt: "One" }, { prompt: "Two, in full", title: "Two" }, 5, null, { title: "x" }, { prompt: "<img src=x>\u202e" }];
    const shown = suggestionsView(view({ metadata: { suggestions } }), () => {});
    expect(textOf(shown)).toBe("One Two <img src=x>⟨U+202E⟩");
    expect(textOf(suggestionsView(view({ metadata: { suggestions: "no" } }), () => {}))).toBe("");
    expect(textOf(suggestionsView(view({ status: { type: "running" }, metadata: { suggestions } }), () => {}))).toBe("");
  });
});

describe("what a sub-agent did", () => {
  const call = (fields: object): ReturnType<typeof joinToolCall> =>
    joinToolCall("m1", { type: "tool_call", id: "c1", tool_call_id: "x", tool_name: "research" }, callRow("c1", fields), null);

  it("is shown from progress while it runs, then from the artifact", () => {
    const messages = [{ role: "assistant", parts: [{ type: "tool_call", tool_name: "find_order", args: { id: 7 }, result: "found" }] }];
    expect(textOf(nestedView(call({ progress: { messages } })))).toBe("Find order 7 → found");
    expect(textOf(nestedView(call({ artifact: { messages } })))).toBe("Find order 7 → found");
  });

  it("odd values are nothing", () => {
    for (const artifact of [null, [], { messages: 5 }, { messages: [1, null, { parts: [2, { type: "text", text: 3 }] }] }]) {
      expect(textOf(nestedView(call({ artifact })))).toBe("");
    }
    expect(messagesIn([1])).toBeNull();
  });
});

describe("arguments that a person changes", () => {
  const data = (entries: Record<string, string>): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(entries)) form.append(name, value);
    return form;
  };
  const text = '{"order": 9007199254740993, "amount": 20, "note": "a", "express": true}';

  it("are written with what was typed, and every digit of the rest", () => {
    const changed = changedArguments(text, ["amount", "note", "express"], data({ amount: "12.50", note: "12" }));
    expect(changed).toBe('{"order":9007199254740993,"amount":12.5,"note":"12","express":false}');
  });

  it("stay as they were written where nothing is changed", () => {
    expect(changedArguments(text, ["amount", "note", "express"], data({ amount: "20", note: "a", express: "on" }))).toBe(text);
  });

  it("what cannot be read is said by its name", () => {
    expect(() => changedArguments(text, ["amount"], data({ amount: "twenty" }))).toThrow(BadArgument);
  });
});

describe("a message with other words", () => {
  it("keeps its files", () => {
    const parts = [
      { type: "file", data: "id-1", mime_type: "image/png", source_type: "attachment", filename: "a.png" },
      { type: "file", data: "QQ==", mime_type: "text/plain" },
      { type: "text", text: "old" },
    ];
    expect(partsWithText(view({ parts }), "new")).toEqual([
      { type: "file", attachment: "id-1" },
      { type: "file", data: "QQ==", mime_type: "text/plain" },
      { type: "text", text: "new" },
    ]);
  });
});

describe("colours for code", () => {
  beforeAll(async () => void (await import("../src/highlight/index.js")));

  it("are nodes of the very text, whatever it holds", () => {
    const engine = (globalThis as Record<symbol, unknown>)[Symbol.for("agentui.highlight")] as {
      highlight: (code: string, language: string) => DocumentFragment | null;
    };
    const code = 'const a = "<img src=x onerror=alert(1)>"; // done';
    const marked = engine.highlight(code, "js") as DocumentFragment;
    expect(marked.textContent).toBe(code);
    expect(marked.querySelector("img")).toBeNull();
    expect([...marked.querySelectorAll("span")].map(({ className }) => className)).toContain("tok-keyword");
    expect(engine.highlight("x", "no-such-language")).toBeNull();
  });
});

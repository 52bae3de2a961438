import { describe, expect, it } from "vitest";
import { accumulate, type Message, type StreamEvent, type ToolCallPart } from "../src/core/index.js";

const empty: Message = { id: "a1", role: "assistant" };

const callStart: StreamEvent = {
  type: "part_start",
  part: { type: "tool_call", id: "c1", tool_call_id: "x", tool_name: "find" },
};

function call(...events: StreamEvent[]): ToolCallPart {
  const message = accumulate(empty, [callStart, ...events]);
  return message.parts?.[0] as ToolCallPart;
}

describe("parts", () => {
  it("grow by deltas and leave the given message alone", () => {
    const before: Message = { ...empty, parts: [{ type: "text", text: "Hel" }] };
    const after = accumulate(before, [{ type: "text_delta", path: [0], text_delta: "lo" }]);
    expect(after.parts).toEqual([{ type: "text", text: "Hello" }]);
    expect(before.parts).toEqual([{ type: "text", text: "Hel" }]);
  });

  it("keep their identity while they do not change", () => {
    const first: Message = { ...empty, parts: [{ type: "text", text: "a" }, { type: "text", text: "b" }] };
    const after = accumulate(first, [{ type: "text_delta", path: [1], text_delta: "c" }]);
    expect(after.parts?.[0]).toBe(first.parts?.[0]);
    expect(after.parts?.[1]).not.toBe(first.parts?.[1]);
  });

  it.each([[[5]], [[0, 1]], [[]], [[-1]]])("events for the path %j are dropped", (path) => {
    const message: Message = { ...empty, parts: [{ type: "text", text: "a" }] };
    const after = accumulate(message, [{ type: "text_delta", path, text_delta: "x" }]);
    expect(after.parts).toEqual(message.parts);
  });

  it("of an unknown type keep their place", () => {
    const events = [
      { type: "part_start", part: { type: "hologram" } },
      { type: "part_start", part: { type: "text", text: "" } },
      { type: "text_delta", path: [1], text_delta: "x" },
    ] as unknown as StreamEvent[];
    expect(accumulate(empty, events).parts?.[1]).toEqual({ type: "text", text: "x" });
  });

  it("take metadata when they finish", () => {
    const after = accumulate({ ...empty, parts: [{ type: "reasoning", text: "hm" }] }, [
      { type: "part_finish", path: [0], provider_metadata: { p: { signature: "s" } } },
    ]);
    expect(after.parts?.[0]).toMatchObject({ provider_metadata: { p: { signature: "s" } } });
  });
});

describe("a tool call", () => {
  it("is pending once its arguments are whole, and takes no more of them", () => {
    const after = call(
      { type: "text_delta", path: [0], text_delta: '{"a":1}' },
      { type: "tool_call_args_finish", path: [0] },
      { type: "text_delta", path: [0], text_delta: "junk" },
    );
    expect(after).toMatchObject({ status: "pending", args_text: '{"a":1}' });
  });

  it("keeps its first result", () => {
    const after = call(
      { type: "result", path: [0], result: "first" },
      { type: "result", path: [0], result: "second", is_error: true },
    );
    expect(after).toMatchObject({ status: "complete", result: "first", is_error: false });
  });

  it("has no result in a status that is no end", () => {
    expect(call({ type: "result", path: [0], result: 1, status: "pending" }).result ?? null).toBeNull();
  });

  it("is not answered around an open approval", () => {
    const after = call(
      { type: "approval_request", path: [0], approval: { id: "p1" } },
      { type: "result", path: [0], result: "forged" },
    );
    expect(after.status).toBe("awaiting_approval");
    expect(after.result).toBeUndefined();
  });

  it("follows the decision, and the words for it come later", () => {
    const after = call(
      { type: "approval_request", path: [0], approval: { id: "p1" } },
      { type: "approval_decision", path: [0], approval: { id: "p1", status: "denied", reason: "no" } },
      { type: "result", path: [0], result: "Denied: no", is_error: true, status: "denied" },
    );
    expect(after).toMatchObject({ status: "denied", result: "Denied: no", approval: { reason: "no" } });
  });
});

describe("steps and status", () => {
  it("a roundtrip that begins anew forgets what it wrote", () => {
    const after = accumulate(empty, [
      { type: "part_start", part: { type: "text", text: "kept" } },
      { type: "step_start" },
      { type: "part_start", part: { type: "text", text: "gone" } },
      { type: "error", error: "overloaded" },
      { type: "step_reset", start: 1 },
    ]);
    expect(after.parts).toEqual([{ type: "text", text: "kept" }]);
    expect(after.metadata?.steps).toEqual([]);
    expect(after.status).toEqual({ type: "running" });
    expect(after.error).toBeUndefined();
  });

  it("a finished step knows where it began and what it cost", () => {
    const after = accumulate(empty, [
      { type: "step_start", message_id: "m" },
      { type: "step_finish", finish_reason: "stop", usage: { output_tokens: 2 } },
    ]);
    expect(after.metadata?.steps).toEqual([
      { start: 0, state: "finished", message_id: "m", finish_reason: "stop", usage: { output_tokens: 2 }, is_continued: false },
    ]);
  });

  it.each([
    ["stop", { type: "complete", reason: "stop" }],
    ["tool_calls", { type: "requires_action", reason: "tool_calls" }],
    ["length", { type: "incomplete", reason: "length" }],
    ["toString", { type: "incomplete", reason: "other" }],
  ])("finish reason %s", (finish_reason, status) => {
    expect(accumulate(empty, [{ type: "message_finish", finish_reason }]).status).toEqual(status);
  });

  it("an error is sticky and an odd severity is left out", () => {
    const after = accumulate(empty, [
      { type: "error", error: "boom", code: "provider", severity: "fatal" },
      { type: "message_finish", finish_reason: "stop" },
    ]);
    expect(after.status).toEqual({ type: "incomplete", reason: "error" });
    expect(after.error).toEqual({ code: "provider", message: "boom" });
  });

  it("events of a newer server are passed over", () => {
    const odd = { type: "hologram", path: [] } as unknown as StreamEvent;
    expect(accumulate(empty, [odd]).status).toEqual({ type: "running" });
  });
});

it("an error's words are those the server keeps", () => {
  const { error } = accumulate(empty, [{ type: "error", error: "a\0b\ud800c😀", code: null } as unknown as StreamEvent]);
  expect(error).toEqual({ code: "unknown", message: "ab\ufffdc😀" });
});

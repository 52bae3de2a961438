/** CopilotKit's own cases of its tool registry; where we differ on purpose, the case says why. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import cases from "../../../tests/cases/copilotkit.json";
import type { Json, JsonObject } from "../src/core/index.js";
import { ToolRegistry, useFrontendTool } from "../src/registry/index.js";
import { callRow, messageRow } from "../dev/rows.js";
import { messages, play, shown, type CaseCall, type CaseTool } from "./copilotkit-driver.js";
import { addThread, follow, openPage, texts } from "./page.js";

interface Case {
  id: string;
  area: string;
  input: Record<string, Json>;
  expected: Record<string, Json>;
  agentui?: Record<string, Json>;
  why?: string;
}

const CASES = cases as unknown as Case[];
/** Played against the run loop in tests/runtime/test_cases_copilotkit.py. */
const ON_THE_SERVER = new Set(["CK12"]);

function wanted(id: string): Record<string, Json> {
  const found = CASES.find((item) => item.id === id) as Case;
  return found.agentui ?? found.expected;
}

function input(id: string): { tools: CaseTool[]; calls: CaseCall[]; [key: string]: Json | CaseTool[] | CaseCall[] } {
  return (CASES.find((item) => item.id === id) as Case).input as never;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("every case is played, and every difference has its reason", () => {
  const played = [...SIMPLE, ...OTHERS, ...ON_THE_SERVER];
  expect(played.sort()).toEqual(CASES.map((item) => item.id).sort());
  for (const item of CASES) expect(Boolean(item.agentui), item.id).toBe(Boolean(item.why));
});

const SIMPLE = ["CK01", "CK03", "CK05", "CK06", "CK07", "CK08", "CK13", "CK14", "CK16"];
const OTHERS = ["CK04", "CK20", "CK21", "CK22", "CK23", "CK24", "CK25", "CK26"];

describe("tools and calls", () => {
  it.each(SIMPLE)("%s", async (id) => {
    const { tools, calls, results_in_stream: answered } = input(id);
    const { match, ...expected } = wanted(id);
    const played = await play(tools, calls, answered as JsonObject | undefined);
    if (match === "prefix") {
      const [[call, { error }]] = expected["tool_messages"] as [[string, { error: string }]];
      expected["tool_messages"] = [[call, { error: expect.stringContaining(error) }]];
    }
    expect(played).toMatchObject(expected);
  });

  it.each(["\"s\"", "7", "true", "null"])("CK08: %s is no object either", async (args) => {
    const { tools, calls } = input("CK08");
    const played = await play(tools, [{ ...(calls[0] as CaseCall), arguments: args }]);
    expect(played.handled).toEqual([]);
    expect(played.tool_messages[0]?.[1]).toMatchObject({ error: expect.stringContaining("not a JSON object") });
  });
});

it("CK04", () => {
  const registry = new ToolRegistry();
  const sent = (): string[] => registry.definitions().map((tool) => tool.name);
  registry.registerTool({ name: "x" });
  registry.setAvailable("x", false);
  registry.registerTool({ name: "x" });
  const first = sent();
  registry.setAvailable("x", true);
  expect([first, sent()]).toEqual(wanted("CK04")["tools_sent_after_each_build"]);
  registry.registerTool({ name: "x", agent: "a" });
  registry.setAvailable("x", false, { agent: "a" });
  expect(registry.definitions().map((tool) => tool.agent)).toEqual([undefined]);
});

it("CK20", async () => {
  const page = await openPage();
  page.registry.registerTool({ name: "x", handler: () => "ran" });
  page.registry.registerTool({ name: "throws", handler: () => { throw new Error("no luck"); } }); // prettier-ignore
  const asked = input("CK20")["runTool"] as { name: string; agentId?: string; parameters?: JsonObject }[];
  const outcomes = [];
  for (const { name, agentId, parameters } of asked) {
    outcomes.push(await page.registry.runTool(name, parameters, { agent: agentId }));
  }
  const sent = page.server.received.filter((command) => command.type !== "register_tools");
  expect({ outcomes, sent }).toEqual(wanted("CK20"));
});

it("CK21", async () => {
  const page = await openPage();
  for (const id of ["A", "B"]) {
    addThread(page.server, { thread: { head: id }, messages: [messageRow(id, { parts: [{ type: "text", text: id }] })] }, id);
  }
  let store = await follow(page, "A");
  const cleared = [true];
  page.server.drop();
  await vi.advanceTimersByTimeAsync(1_000);
  cleared.push(texts(store).length === 0);
  for (const id of ["B", "A"]) {
    store.close();
    store = page.client.openThread(id, "support");
    cleared.push(texts(store).length === 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(texts(store)).toEqual([id]);
  }
  expect(cleared).toEqual(wanted("CK21")["local_messages_and_state_cleared"]);
});

it("CK22", async () => {
  const page = await openPage();
  for (const { agentIds, ...readable } of input("CK22")["contexts"] as never as { description: string; value: string; agentIds?: string[] }[]) {
    page.registry.addContext({ ...readable, ...(agentIds ? { agents: agentIds } : {}) });
  }
  void page.client.openThread(null, "b").sendText("Hello");
  await vi.advanceTimersByTimeAsync(1);
  expect(page.server.of("send_message")[0]?.["context"]).toEqual(wanted("CK22")["context_sent"]);
});

it("CK23", async () => {
  const registry = new ToolRegistry();
  const mount = (version: string) =>
    useFrontendTool({ name: "x", handler: () => version, render: () => version }, { registry });
  const [first, second] = [mount("v1"), mount("v2")];
  const active = await registry.runTool("x");
  first.remove();
  second.remove();
  expect({
    active_handler: (active as { result: Json }).result,
    after_unmount: {
      tool_registered: registry.getTool("x") !== null,
      renderer_registered: registry.getRenderer("x") !== null,
    },
  }).toMatchObject({ active_handler: "v2", after_unmount: wanted("CK23")["after_unmount"] });
});

it("CK24", async () => {
  const page = await openPage();
  const states = [
    shown(page, { status: "streaming", args_text: "" }),
    shown(page, { status: "streaming", args_text: '{"a":"b' }),
    shown(page, { status: "pending", args_text: '{"a":"b"}' }),
    shown(page, { status: "complete", args_text: '{"a":"b"}', result: { ok: true } }),
  ];
  expect(states.map((state) => state.plain)).toEqual(wanted("CK24")["props"]);
  page.server.on("claim_tool_call", () => ({ claimed: true, args_text: "" }));
  states[2]?.props.respond?.({ ok: true });
  await vi.advanceTimersByTimeAsync(500);
  expect(messages(page)).toEqual([["a", { ok: true }]]);
});

it("CK25", async () => {
  const page = await openPage();
  const { props } = shown(page, { status: "cancelled", is_error: true, result: "Stopped." });
  const { status, isError, respond = null } = props;
  expect({ props: { status, is_error: isError, respond }, tool_messages: messages(page) }).toEqual(wanted("CK25"));
});

it("CK26", async () => {
  const page = await openPage();
  addThread(page.server, { messages: [messageRow("a1")], tool_calls: [callRow("c1"), callRow("c2")] });
  const store = await follow(page);
  const decided = (): Json[][] => page.server.of("decide_approval").map((c) => [c["approval"], c["verdict"]] as Json[]);
  const decide = (id: string, verdict: "approve" | "deny"): Promise<void> => store.decide({ id, args_digest: "d" } as never, { verdict });
  await decide("one", "approve");
  const after_first = decided();
  await decide("two", "deny");
  expect({ after_first, after_second: decided(), tool_messages: messages(page) }).toEqual(wanted("CK26"));
});

/** The inbox of whoever decides: what keeps its place, what becomes a line, when it looks no more. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { approvalRow } from "../dev/rows.js";
import { WaitingList, type Source } from "../src/approvals/waiting-list.js";
import { AgentUIError, type ApprovalRow, type WaitingRow } from "../src/client/index.js";

let waiting: WaitingRow[];
let later: Map<string, ApprovalRow>;
let looks: number;
let decides: boolean;
let failure: AgentUIError | null;
let list: WaitingList;

function row(id: string, fields: Partial<WaitingRow> = {}): WaitingRow {
  const extra = { agent: "a", requester_name: "ada", asked: "", description: "", answer_schema: null, url: "" };
  return { ...approvalRow(id, { may_decide: true }), ...extra, ...fields };
}

const source: Source = {
  waiting: async () => {
    looks++;
    if (failure) throw failure;
    return { decides, waiting: waiting.length, approvals: waiting, url: "" };
  },
  approval: async (id) => {
    const found = later.get(id);
    if (!found) throw new AgentUIError("not_found", "Not found.");
    return found;
  },
  decide: async (approval, { verdict }) => ({ ...approval, status: verdict === "deny" ? "denied" : "approved" }),
};

const shown = () => list.entries.map(({ row, ended }) => (ended ? `${row.id}:${ended.status}:${ended.by}` : row.id));
const look = () => vi.advanceTimersByTimeAsync(4_000);

beforeEach(async () => {
  vi.useFakeTimers();
  waiting = [row("a"), row("b"), row("c")];
  later = new Map();
  looks = 0;
  decides = true;
  failure = null;
  list = new WaitingList(source, () => {});
  list.start();
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => {
  list.stop();
  vi.useRealTimers();
});

describe("the inbox", () => {
  it("keeps the place of each entry, and puts what is new last", async () => {
    expect(shown()).toEqual(["a", "b", "c"]);
    waiting = [row("urgent"), row("c"), row("a"), row("b")];
    await look();
    expect(shown()).toEqual(["a", "b", "c", "urgent"]);
    expect(list.news.map(({ id }) => id)).toEqual(["urgent"]);
  });

  it("says what became of those that others decided, or that are gone", async () => {
    const decision = { user: "sam", verdict: "deny", reason: "", option: "", door: "admin", created_at: "" };
    later.set("a", approvalRow("a", { status: "denied", decisions: [decision] }));
    waiting = [row("c")];
    await look();
    expect(shown()).toEqual(["a:denied:sam", "b:cancelled:", "c"]);
  });

  it("keeps one that more urgent ones have pushed off the page", async () => {
    later.set("b", approvalRow("b", { may_decide: true }));
    waiting = [row("a"), row("c")];
    await look();
    expect(shown()).toEqual(["a", "b", "c"]);
  });

  it("makes a line of what this person decides, at once", async () => {
    await list.decide(waiting[1] as WaitingRow, { verdict: "deny" });
    expect(shown()).toEqual(["a", "b:denied:", "c"]);
    expect(list.page?.waiting).toBe(2);
    expect(list.decided).toBe("b");
  });

  it("is not overtaken by an answer that was under way before the decision", async () => {
    let answer: (() => void) | undefined;
    const slow = source.waiting;
    source.waiting = () => new Promise((resolve) => (answer = () => resolve(slow())));
    await look();
    source.waiting = slow;
    await list.decide(waiting[0] as WaitingRow, { verdict: "approve" });
    answer?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown()[0]).toBe("a:approved:");
  });

  it("looks no more for whom nobody asks, or who is signed out", async () => {
    decides = false;
    await look();
    const before = looks;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(looks).toBe(before);
    decides = true;
    list.start();
    await vi.advanceTimersByTimeAsync(0);
    failure = new AgentUIError("http_403", "No.");
    await look();
    const again = looks;
    await vi.advanceTimersByTimeAsync(120_000);
    expect(looks).toBe(again);
  });

  it("comes back after the network was away, more slowly", async () => {
    failure = new AgentUIError("network", "The server cannot be reached.");
    await look();
    expect(list.hasFailed).toBe(true);
    failure = null;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(list.hasFailed).toBe(false);
  });
});

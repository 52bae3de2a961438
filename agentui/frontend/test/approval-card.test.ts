/** Arguments changed in the card of an approval: what goes to the server, and what is said when it cannot. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { approvalRow } from "../dev/rows.js";
import type { ApprovalRow, ThreadStore, Verdict } from "../src/client/index.js";
import { AgentUIApprovalCard } from "../src/elements/approval-card.js";

let card: AgentUIApprovalCard;
let decided: Verdict[];

const TEXT = '{"order_number": 9007199254740993, "amount": 20, "reason": "broken"}';

async function show(fields: Partial<ApprovalRow>): Promise<void> {
  card = new AgentUIApprovalCard();
  card.approval = approvalRow("a1", { args_text: TEXT, editable: ["amount", "reason"], may_decide: true, ...fields });
  card.store = { decide: async (_approval: ApprovalRow, verdict: Verdict) => void decided.push(verdict) } as unknown as ThreadStore;
  document.body.append(card);
  await card.updateComplete;
}

async function click(label: string): Promise<void> {
  const buttons = [...card.renderRoot.querySelectorAll<HTMLButtonElement>("button")];
  const button = buttons.find((button) => button.textContent?.trim() === label);
  expect(button, label).toBeDefined();
  button?.click();
  await new Promise((resolve) => setTimeout(resolve));
  await card.updateComplete;
}

function type(name: string, value: string): void {
  (card.renderRoot.querySelector(`[name="${name}"]`) as HTMLTextAreaElement).value = value;
}

beforeEach(() => (decided = []));
afterEach(() => card.remove());

describe("an approval whose arguments may be changed", () => {
  it("is decided with what was typed, and every digit of the rest", async () => {
    await show({});
    await click("Change");
    expect([...card.renderRoot.querySelectorAll("textarea")].map(({ name }) => name)).toEqual(["amount", "reason"]);
    type("amount", "15.50");
    await click("Approve");
    expect(decided).toEqual([
      { verdict: "approve", args_text: '{"order_number":9007199254740993,"amount":15.5,"reason":"broken"}' },
    ]);
  });

  it("says which value it cannot read, and decides nothing", async () => {
    await show({});
    await click("Change");
    type("amount", "fifteen");
    await click("Approve");
    expect(decided).toEqual([]);
    expect(card.renderRoot.querySelector("[role=alert]")?.textContent).toBe("This is not a valid value.");
    expect(card.renderRoot.querySelector("[name=amount]")?.getAttribute("aria-invalid")).toBe("true");
  });

  it("goes as it is when the change is taken back, or the call denied", async () => {
    await show({});
    await click("Change");
    type("amount", "1");
    await click("Cancel");
    await click("Approve");
    expect(decided).toEqual([{ verdict: "approve" }]);
  });

  it("has nothing to change for who may not decide, or where the policy has nothing", async () => {
    await show({ may_decide: false });
    expect(card.renderRoot.querySelector("button")).toBeNull();
    card.remove();
    await show({ editable: [] });
    expect([...card.renderRoot.querySelectorAll("button")].map((button) => button.textContent?.trim())).toEqual(["Approve", "Deny"]);
  });
});

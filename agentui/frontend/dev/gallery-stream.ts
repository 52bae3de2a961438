/** Writes an answer into a thread of the gallery, piece by piece, as a run does. */
import type { Json } from "../src/core/index.js";
import type { FakeServer } from "./fake-server.js";
import { messageRow, runRow, threadRow, userRow } from "./rows.js";
import { FakeThread } from "./fake-server.js";

const TEXT = `Here is what I found for **order #1042**.

It left our warehouse on *Tuesday* and is now with the courier. Three things matter:

1. The parcel weighs 2.4 kg and needs a signature.
2. Delivery is planned for **Friday between 9:00 and 12:00**.
3. You can still change the address until tomorrow, 18:00.

| Item | Quantity | Price |
|------|---------:|------:|
| Field notebook, dotted | 2 | €18.00 |
| Brass pen | 1 | €42.00 |

\`\`\`python
def total(items):
    return sum(item.price * item.quantity for item in items)
\`\`\`

Would you like me to change anything?`;

let count = 0;

export function writeAnswer(server: FakeServer, command: Record<string, unknown>): Record<string, Json> {
  const n = ++count;
  const id = String(command["thread"] ?? `new-${n}`);
  if (!server.threads.has(id)) server.add(new FakeThread(threadRow(id, { title: "New question" })));
  const thread = server.threads.get(id) as FakeThread;
  const [user, answer, run] = [`u-${n}`, `a-${n}`, `r-${n}`];
  const text = (command["parts"] as { text: string }[] | undefined)?.[0]?.text ?? "Where is my order 1042?";
  const running = { type: "running" as const, reason: "" as const };
  server.change(id, {
    thread: { head: answer, active_run: run, last_activity_at: new Date().toISOString() },
    messages: [
      userRow(user, text, { thread: id, parent: thread.row.head, seq: 100 + n }),
      messageRow(answer, { thread: id, parent: user, seq: 101 + n, status: running, run, cursor: { run, seq: 0 } }),
    ],
    runs: [runRow(run, { thread: id, message: answer })],
  });
  void stream(server, id, run, answer);
  return { thread: id, message: user, run };
}

async function stream(server: FakeServer, id: string, run: string, message: string): Promise<void> {
  await pause(700);
  server.emit(id, run, message, [{ type: "part_start", part: { type: "text", text: "" }, path: [] }]);
  for (let at = 0; at < TEXT.length; at += 6) {
    server.emit(id, run, message, [{ type: "text_delta", path: [0], text_delta: TEXT.slice(at, at + 6) }]);
    await pause(25);
  }
  const row = server.threads.get(id)?.messages.get(message);
  if (!row) return;
  server.change(id, {
    thread: { active_run: null },
    messages: [{ ...row, parts: [{ type: "text", text: TEXT }], status: { type: "complete", reason: "stop" }, cursor: { run, seq: 1000 } }],
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

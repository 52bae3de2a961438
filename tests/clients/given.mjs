// What every script needs: what it was given, and what people do meanwhile.
import process from "node:process";
import { createInterface } from "node:readline";

/** Carry out each line of standard input with `story`; what it has seen goes out as a line. */
export async function serve(story) {
  for await (const line of createInterface({ input: process.stdin })) {
    let seen;
    try {
      seen = await story(JSON.parse(line));
    } catch (error) {
      seen = { failed: error.stack ?? String(error) };
    }
    process.stdout.write(`SEEN ${JSON.stringify(seen)}\n`);
  }
}

/** Somebody decides the newest pending approval through the REST API, whatever this page does. */
export async function decide(given, { person, verdict, reason = "" }) {
  const headers = { Authorization: `Bearer ${given.people[person].token}` };
  const base = `${given.url}/agentui/api/approvals/`;
  for (let tries = 0; tries < 100; tries++) {
    const page = await (await fetch(`${base}?status=pending`, { headers })).json();
    const rows = page.results ?? page.approvals ?? page;
    const open = rows.filter((row) => row.status === "pending");
    if (open.length) {
      const answer = await fetch(`${base}${open[0].id}/decide/`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ verdict, reason }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return;
    }
    await sleep(50);
  }
  throw new Error("no approval came");
}

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The page's tool: what runs here when the agent calls get_place. */
export const GET_PLACE = {
  name: "get_place",
  description: "Where the user is",
  parameters: {
    type: "object",
    properties: { precise: { type: "boolean" } },
    required: ["precise"],
  },
};
export const place = async ({ precise }) => ({ city: "Oslo", precise });

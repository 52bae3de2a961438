// Drives an AG-UI endpoint with the real HttpAgent, step by step as it was given.
import process from "node:process";
import { GET_PLACE, decide, place, serve, sleep } from "./given.mjs";

const { HttpAgent, buildResumeArray, randomUUID } = await import(
  process.argv[2] === "1.0" ? "@ag-ui/client" : "@ag-ui/client-old"
);

await serve(async (given) => {
  const url = `${given.url}/agentui/protocols/ag-ui/${given.agent}`;
  const runs = [];
  let executed = 0;

  function open(threadId, address = url) {
    const agent = new HttpAgent({ url: address, threadId, headers: given.headers, initialState: {} });
    agent.seen = [];
    agent.subscribe({
      onEvent: ({ event }) => {
        agent.seen.push(event);
        agent.onSeen?.(event);
      },
    });
    return agent;
  }

  let agent = open(given.thread ?? `probe-${randomUUID()}`);

  async function run({ answer, stopAt, abortAt, gate, props = {} } = {}) {
    const before = agent.seen.length;
    const outcome = { error: null };
    let resume;
    if (answer) {
      const payloads = Object.fromEntries(
        agent.pendingInterrupts.map((interrupt) => [interrupt.id, answerOf(answer)]),
      );
      resume = buildResumeArray(agent.pendingInterrupts, payloads);
    }
    let count = 0;
    let shown = 0;
    agent.onSeen = async ({ activityType }) => {
      count += 1;
      // The tool goes on once its progress was seen.
      if (gate && activityType === "agentui:progress") await fetch(`${given.url}/gates/${gate}-${++shown}`);
      if (count === stopAt) await stop();
      if (count === abortAt) agent.abortRun();
    };
    try {
      await agent.runAgent({
        tools: [GET_PLACE],
        context: [{ description: "locale", value: "en" }],
        forwardedProps: props,
        ...(resume ? { resume } : {}),
      });
    } catch (error) {
      outcome.error = String(error);
    }
    agent.onSeen = undefined;
    runs.push({ ...outcome, events: agent.seen.slice(before) });
  }

  const answerOf = (answer) =>
    answer === "cancel"
      ? { status: "cancelled" }
      : { status: "resolved", payload: typeof answer === "object" ? answer : { approved: answer === "approve" } };

  const stop = () =>
    fetch(`${url}/stop`, {
      method: "POST",
      headers: { ...given.headers, "Content-Type": "application/json" },
      body: JSON.stringify({ threadId: agent.threadId }),
    });

  /** The calls that nobody has answered; what an application does with them, one after the other. */
  async function answerCalls() {
    const answered = new Set(agent.messages.filter((m) => m.role === "tool").map((m) => m.toolCallId));
    const calls = agent.messages.flatMap((m) => (m.role === "assistant" ? (m.toolCalls ?? []) : []));
    for (const call of calls.filter((c) => !answered.has(c.id))) {
      if (call.function.name !== GET_PLACE.name) continue;
      executed += 1;
      const content = JSON.stringify(await place(JSON.parse(call.function.arguments)));
      let at = agent.messages.findIndex((m) => m.toolCalls?.some((c) => c.id === call.id)) + 1;
      while (agent.messages[at]?.role === "tool") at++;
      agent.messages.splice(at, 0, { id: randomUUID(), role: "tool", toolCallId: call.id, content });
    }
  }

  const STEPS = {
    say: (text) => agent.addMessage({ id: randomUUID(), role: "user", content: text }),
    run,
    answerCalls,
    decide: (how) => decide(given, how),
    sleep,
    setState: (state) => agent.setState(state),
    forgetInterrupts: () => (agent.pendingInterrupts = []),
    /** A new page of the same thread, with what the server shows it. */
    reload: async () => {
      const address = agent.url;
      agent = open(agent.threadId, `${url}/connect`);
      await run();
      agent.url = address;
    },
    /** A new page that has kept its messages. */
    reopen: () => {
      const messages = structuredClone(agent.messages);
      agent = open(agent.threadId);
      agent.setMessages(messages);
    },
    together: (steps) => Promise.all(steps.map(perform)),
  };

  async function perform(step) {
    const [[name, value]] = Object.entries(step);
    await STEPS[name](value);
  }

  for (const step of given.steps) await perform(step);
  const shown = { messages: agent.messages, state: agent.state };
  const live = agent;
  agent = open(live.threadId, `${url}/connect`);
  await run();
  return {
    ...shown,
    interrupts: live.pendingInterrupts ?? [],
    pending: live.pendingToolCallIds ?? null,
    runs: runs.slice(0, -1),
    executed,
    thread: live.threadId,
    afterReload: agent.messages,
    stateAfterReload: agent.state,
  };
});

// Drives the CopilotRuntime routes with the real @copilotkit/core, step by step as it was given.
import { createRequire } from "node:module";
import { GET_PLACE, decide, place, serve, sleep } from "./given.mjs";

globalThis.window ??= globalThis; // core asks for /info only where there is a window
const require = createRequire(import.meta.url);
const { CopilotKitCore } = require("@copilotkit/core");
const { randomUUID } = createRequire(require.resolve("@copilotkit/core"))("@ag-ui/client");

await serve(async (given) => {
  const tools = [];
  const errors = [];
  const core = new CopilotKitCore({
    runtimeUrl: `${given.url}/agentui/protocols/copilotkit`,
    runtimeTransport: given.transport ?? "rest",
    headers: given.headers,
    properties: given.properties ?? {},
  });
  core.subscribe({
    onToolExecutionStart: (event) => tools.push(["start", event.toolName, event.args]),
    onToolExecutionEnd: (event) => tools.push(["end", event.toolName, event.result]),
    onError: (event) => errors.push({ code: event.code, message: event.error.message }),
  });
  core.addTool({
    name: GET_PLACE.name,
    description: GET_PLACE.description,
    parameters: {
      "~standard": {
        version: 1,
        vendor: "tests",
        validate: (value) => ({ value }),
        jsonSchema: { input: () => GET_PLACE.parameters },
      },
    },
    handler: place,
  });
  core.addContext({ description: "page", value: "/orders/42" });
  for (let tries = 0; tries < 100 && !core.getAgent(given.agent); tries++) await sleep(50);

  let agent = core.getAgent(given.agent);
  agent.threadId = given.thread ?? `copilot-${randomUUID()}`;
  let interrupts = [];
  let outcomes = [];
  const watch = () =>
    agent.subscribe({
      onRunFinishedEvent: ({ event }) => {
        interrupts = event.outcome?.interrupts ?? [];
        outcomes.push(event.outcome ?? null);
      },
      onRunErrorEvent: ({ event }) => outcomes.push({ type: "error", code: event.code }),
    });
  watch();

  const answerOf = (interrupt, answer) =>
    answer === "cancel"
      ? { interruptId: interrupt.id, status: "cancelled" }
      : {
          interruptId: interrupt.id,
          status: "resolved",
          payload: typeof answer === "object" ? answer : { approved: answer === "approve" },
        };

  async function run({ answer, stopAfter } = {}) {
    if (stopAfter) setTimeout(() => core.stopAgent({ agent }), stopAfter);
    const resume = answer ? interrupts.map((interrupt) => answerOf(interrupt, answer)) : undefined;
    await core.runAgent({ agent, ...(resume ? { resume } : {}) });
  }

  const STEPS = {
    say: (text) => agent.addMessage({ id: randomUUID(), role: "user", content: text }),
    run,
    decide: (how) => decide(given, how),
    sleep,
    /** A run that this page does not see the end of: it is left once there are some words. */
    begin: async () => {
      const here = agent;
      void core.runAgent({ agent });
      const said = () => here.messages.filter((m) => m.role === "assistant").map((m) => m.content ?? "");
      for (let tries = 0; tries < 500 && said().join("").length < 10; tries++) await sleep(10);
    },
    /** Another browser that opens the thread. */
    reload: async () => {
      const again = agent.clone();
      again.threadId = agent.threadId;
      again.setMessages([]);
      agent = again;
      interrupts = [];
      watch();
      await core.connectAgent({ agent });
    },
  };

  for (const step of given.steps) {
    const [[name, value]] = Object.entries(step);
    await STEPS[name](value);
  }
  const shown = agent.messages;
  const again = agent.clone();
  again.threadId = agent.threadId;
  again.setMessages([]);
  const connectedInterrupts = [];
  again.subscribe({
    onRunFinishedEvent: ({ event }) => connectedInterrupts.push(...(event.outcome?.interrupts ?? [])),
  });
  await core.connectAgent({ agent: again });
  const threads = await fetch(
    `${given.url}/agentui/protocols/copilotkit/threads?agentId=${given.agent}`,
    { headers: given.headers },
  );
  return {
    agents: Object.keys(core.agents),
    messages: shown,
    interrupts,
    outcomes,
    tools,
    errors,
    thread: agent.threadId,
    afterReload: again.messages,
    interruptsAfterReload: connectedInterrupts,
    threads: (await threads.json()).threads,
  };
});

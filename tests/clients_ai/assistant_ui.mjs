// assistant-ui's runtimes against a server: {url, people, scenarios} on stdin, what they saw on stdout.
import { HttpAgent } from "@ag-ui/client";
import { AssistantChatTransport, useChatRuntime } from "@assistant-ui/ai-sdk";
import { fromThreadMessageLike } from "@assistant-ui/core";
import { AssistantRuntimeProvider, useAssistantTransportRuntime } from "@assistant-ui/react";
import { useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { useDataStreamRuntime } from "@assistant-ui/react-data-stream";
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from "ai";
import { createElement } from "react";
import { mount } from "./react.mjs";
import { approvalOf, runAll, settled, sleep, textOf } from "./tools.mjs";

const parameters = { type: "object", properties: { precise: { type: "boolean" } } };

const scenariosFor = ({ url, people }) => {
  const headers = people.ada;
  const log = { posts: 0, ran: 0, errors: [] };

  const get = async (path, who = headers) => (await fetch(url + path, { headers: who })).json();
  const post = (path, body, who = headers) =>
    fetch(url + path, {
      method: "POST",
      headers: { ...who, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  const isPages = (message) =>
    message.content.some(
      (part) => part.type === "tool-call" && part.toolName === "get_place" && part.result === undefined,
    );

  // What a page does around a runtime: it puts it into the tree and offers its tools.
  const open = async (useRuntime) => {
    const offered = {
      getModelContext: () => ({
        tools: {
          get_place: {
            type: "frontend",
            description: "Where the person is.",
            parameters,
            execute: async () => {
              log.ran += 1;
              return { city: "Oslo" };
            },
          },
        },
      }),
    };
    let runtime;
    const Wrapper = ({ children }) => {
      runtime = useRuntime();
      return createElement(AssistantRuntimeProvider, { runtime }, children);
    };
    const page = await mount(() => runtime, Wrapper);
    page.now.registerModelContextProvider(offered);
    await sleep(50);
    const thread = {
      get runtime() {
        return page.now;
      },
      get state() {
        return page.now.thread.getState();
      },
      get messages() {
        return this.state.messages;
      },
      get last() {
        return this.messages.at(-1);
      },
      get call() {
        return this.last.content.find((part) => part.type === "tool-call");
      },
      /** Nothing runs, and nothing is about to: no call of the page is on its way. */
      idle: (ms = 20_000) =>
        settled(() => thread.last?.role === "assistant" && !thread.state.isRunning && !isPages(thread.last), ms),
      /** Do something that makes the page ask the server, and wait for what comes of it. */
      act: async (something) => {
        const before = log.posts;
        await something();
        await settled(() => log.posts > before, 20_000);
        await thread.idle();
      },
      say: (text) =>
        thread.act(() => page.now.thread.append({ role: "user", content: [{ type: "text", text }] })),
      /** All that the agent has said: over AG-UI each text is a message of its own. */
      get written() {
        const answers = this.messages.filter(({ role }) => role === "assistant");
        return answers.map(textOf).join("");
      },
      part: () => page.now.thread.getMessageByIndex(thread.messages.length - 1).getMessagePartByToolCallId(thread.call.toolCallId),
      close: () => page.unmount(),
    };
    return thread;
  };

  const report = (thread, more = {}) => ({
    messages: thread.messages.map(({ id, role, content, status, metadata }) => ({
      id,
      role,
      content,
      status,
      data: metadata.unstable_data,
      state: metadata.unstable_state,
    })),
    state: thread.state.extras?.state ?? thread.state.state,
    ...log,
    ...more,
  });

  const decide = async (call, verdict, reason = "", who = people.grace) => {
    const approval = await approvalOf(call, () => get("/agentui/api/approvals/?status=pending", who));
    const answer = await post(`/agentui/api/approvals/${approval.id}/decide/`, { verdict, reason }, who);
    if (!answer.ok) throw new Error(await answer.text());
  };

  const kinds = {
    // A page of useDataStreamRuntime names its thread itself, and adds the decisions made on it.
    data_stream: (run, body) =>
      open(() =>
        useDataStreamRuntime({
          api: `${url}/agentui/protocols/data-stream/helper/run?approvals=1`,
          headers,
          body: async () => {
            log.posts += 1;
            return { threadId: `data-${run}`, ...body };
          },
          maxSteps: 5,
          onError: (error) => log.errors.push(error.message),
        }),
      ),
    chat: (run) =>
      open(() =>
        useChatRuntime({
          transport: new AssistantChatTransport({
            api: `${url}/agentui/protocols/ai-sdk/helper/chat`,
            headers,
            fetch: (input, init) => {
              if (init?.method === "POST") {
                log.posts += 1;
                log.chat = JSON.parse(init.body).id;
              }
              return fetch(input, init);
            },
          }),
          sendAutomaticallyWhen: (given) =>
            lastAssistantMessageIsCompleteWithToolCalls(given) ||
            lastAssistantMessageIsCompleteWithApprovalResponses(given),
          onError: (error) => log.errors.push(error.message),
        }),
      ),
    transport: (run, { protocol = "data-stream", initialState = { messages: [] }, ...more } = {}) =>
      open(() =>
        useAssistantTransportRuntime({
          api: `${url}/agentui/protocols/assistant-transport/helper/run?protocol=${protocol}`,
          resumeApi: `${url}/agentui/protocols/assistant-transport/helper/resume?protocol=${protocol}`,
          resumeStateApi: `${url}/agentui/protocols/assistant-transport/helper/resume-state?thread=transport-${run}`,
          protocol,
          initialState,
          headers,
          capabilities: { edit: true },
          body: async () => {
            log.posts += 1;
            return { threadId: `transport-${run}` };
          },
          converter: (state, { pendingCommands, isSending }) => ({
            messages: [
              ...state.messages,
              ...pendingCommands
                .filter(({ type }) => type === "add-message")
                .map(({ message }) => ({ id: message.id, role: "user", content: message.parts }))
                .filter(({ id }) => !state.messages.some((one) => one.id === id)),
            ].map((message) =>
              fromThreadMessageLike(
                { ...message, createdAt: new Date(message.createdAt ?? Date.now()) },
                message.id,
                { type: "complete", reason: "unknown" },
              ),
            ),
            isRunning: isSending,
          }),
          onError: (error) => log.errors.push(error.message),
          ...more,
        }),
      ),
    ag_ui: (run, { opened = true } = {}) => {
      const agent = new HttpAgent({
        url: `${url}/agentui/protocols/ag-ui/helper?approvals=tool_call&follow=1`,
        threadId: `ag-ui-${run}`,
        headers,
        fetch: (input, init) => {
          log.posts += 1;
          return fetch(input, init);
        },
      });
      // A page that is opened again asks with no message, and is shown what there is.
      const history = {
        load: async () => ({ messages: [], unstable_resume: true }),
        append: async () => {},
      };
      return open(() =>
        useAgUiRuntime({
          agent,
          onError: (error) => log.errors.push(error.message),
          ...(opened ? {} : { adapters: { history } }),
        }),
      );
    },
  };

  return {
    async say(kind, text, options) {
      const thread = await kinds[kind](crypto.randomUUID(), options);
      await thread.say(text);
      return report(thread);
    },

    async twice(kind) {
      const thread = await kinds[kind](crypto.randomUUID());
      await thread.say("hello");
      await thread.say("history");
      return report(thread);
    },

    async state_over_two_answers() {
      const thread = await kinds.data_stream(crypto.randomUUID());
      await thread.say("plan");
      await thread.say("hello");
      return report(thread);
    },

    // The decision is made on the part, as assistant-ui's own tool card does it.
    async approval(kind, approved, reason, options) {
      const thread = await kinds[kind](crypto.randomUUID(), options);
      await thread.say("deploy rocket");
      const asked = structuredClone(thread.call);
      await thread.act(() => thread.part().respondToToolApproval({ approved, reason }));
      return report(thread, { asked });
    },

    // The data stream's request carries no decision: the page tells it over REST, then goes on.
    async approval_by_rest(verdict, reason) {
      const thread = await kinds.data_stream(crypto.randomUUID());
      await thread.say("deploy rocket");
      const asked = structuredClone(thread.call);
      await decide(asked.toolCallId, verdict, reason, people.ada);
      await thread.act(() =>
        thread.part().respondToToolApproval({ approved: verdict === "approve", reason }),
      );
      return report(thread, { asked });
    },

    // Nobody told the server: the client must not ask for ever.
    async approval_kept_to_itself() {
      const thread = await kinds.data_stream(crypto.randomUUID());
      await thread.say("deploy rocket");
      await thread.act(() => thread.part().respondToToolApproval({ approved: true }));
      await sleep(300); // Long enough for the many requests that must not come.
      await thread.idle();
      return report(thread);
    },

    // The page puts the decision into the body that the runtime sends.
    async approval_in_the_body(approved, reason) {
      const body = {};
      const thread = await kinds.data_stream(crypto.randomUUID(), body);
      await thread.say("deploy rocket");
      body.approvals = [{ id: thread.call.approval.id, approved, reason }];
      await thread.act(() => thread.part().respondToToolApproval({ approved, reason }));
      return report(thread);
    },

    async transport_approval(approved, reason) {
      const run = crypto.randomUUID();
      const thread = await kinds.transport(run, { protocol: "assistant-transport" });
      await thread.say("deploy rocket");
      const asked = structuredClone(thread.call);
      const command = { type: "decide-approval", approvalId: asked.approval.id, approved, reason };
      await thread.act(() => send(thread, command));
      return report(thread, { asked });
    },

    async transport_elsewhere(verdict, reason) {
      const run = crypto.randomUUID();
      const thread = await kinds.transport(run, { protocol: "assistant-transport" });
      await thread.say("refund shoes");
      const asked = structuredClone(thread.call);
      await decide(asked.toolCallId, verdict, reason);
      let page;
      do {
        // From the decision on the run counts as running, however long the server takes.
        await sleep(20);
        page = await get(`/agentui/protocols/assistant-transport/helper/transport-${run}/state`);
      } while (page.isRunning);
      const again = await kinds.transport(run, {
        protocol: "assistant-transport",
        initialState: page,
      });
      return report(again, { asked });
    },

    async transport_reload() {
      const run = crypto.randomUUID();
      const first = await kinds.transport(run, { protocol: "assistant-transport" });
      first.runtime.thread.append({ role: "user", content: [{ type: "text", text: "slow" }] });
      await settled(() => first.last?.role === "assistant" && textOf(first.last).length > 10);
      first.close();
      const page = await get(`/agentui/protocols/assistant-transport/helper/transport-${run}/state`);
      const thread = await kinds.transport(run, {
        protocol: "assistant-transport",
        initialState: page,
        canResume: true,
      });
      const before = structuredClone(thread.last.content);
      thread.runtime.thread.resumeRun({ parentId: thread.last.id });
      await settled(() => textOf(thread.last).includes("w39"), 20_000);
      await thread.idle();
      return report(thread, { before });
    },

    // A page that is open, and another one that is opened while the answer is being written.
    async ag_ui_reload() {
      const run = crypto.randomUUID();
      const first = await kinds.ag_ui(run);
      first.runtime.thread.append({ role: "user", content: [{ type: "text", text: "slow" }] });
      await settled(() => first.written.length > 10);
      first.close();
      const again = await kinds.ag_ui(run, { opened: false });
      await settled(() => again.written.includes("w39"), 15_000);
      await again.idle();
      return report(again);
    },

    async ag_ui_question_after_reload(approved, reason) {
      const run = crypto.randomUUID();
      const first = await kinds.ag_ui(run);
      await first.say("deploy rocket");
      first.close();
      const again = await kinds.ag_ui(run, { opened: false });
      await settled(() => again.last?.status?.type === "requires-action");
      await again.act(() => again.part().respondToToolApproval({ approved, reason }));
      return report(again);
    },

    async ag_ui_elsewhere(verdict, reason) {
      const thread = await kinds.ag_ui(crypto.randomUUID());
      thread.runtime.thread.append({ role: "user", content: [{ type: "text", text: "refund shoes" }] });
      await settled(() => thread.last?.role === "assistant" && thread.call);
      await decide(thread.call.toolCallId, verdict, reason);
      await settled(() => thread.last.content.some(({ type }) => type === "text"), 20_000);
      await thread.idle();
      return report(thread);
    },

    async stop(kind) {
      const run = crypto.randomUUID();
      const thread = await kinds[kind](run, { protocol: "assistant-transport" });
      thread.runtime.thread.append({ role: "user", content: [{ type: "text", text: "slow" }] });
      await settled(() => thread.written.length > 10);
      const path = {
        data_stream: `agentui/protocols/data-stream/helper/data-${run}`,
        transport: `agentui/protocols/assistant-transport/helper/transport-${run}`,
        ag_ui: "agentui/protocols/ag-ui/helper",
        chat: `agentui/protocols/ai-sdk/helper/chat/${log.chat}`,
      };
      const stopped = await post(`/${path[kind]}/stop`, { threadId: `ag-ui-${run}` });
      await thread.idle();
      return report(thread, { stopped: stopped.status });
    },

    async regenerate(kind) {
      const thread = await kinds[kind](crypto.randomUUID());
      await thread.say("hello");
      const first = thread.last.id;
      await thread.act(() => thread.runtime.thread.getMessageByIndex(1).reload());
      return report(thread, { first });
    },

    async edit(kind) {
      const run = crypto.randomUUID();
      const thread = await kinds[kind](run);
      await thread.say("hello");
      await thread.say("hi");
      await thread.act(() =>
        thread.runtime.thread.append({
          role: "user",
          content: [{ type: "text", text: "history" }],
          parentId: null,
          sourceId: thread.messages[0].id,
        }),
      );
      return report(thread);
    },
  };
};

// What useAssistantTransportSendCommand does, outside of a component.
const send = async (thread, command) => {
  const extras = thread.state.extras;
  await extras.sendCommand(command);
};

await runAll(scenariosFor);

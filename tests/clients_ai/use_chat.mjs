// `useChat` of @ai-sdk/react against a server: {url, people, scenarios} on stdin, what it saw on stdout.
import { useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  TextStreamChatTransport,
} from "ai";
import { mount } from "./react.mjs";
import { approvalOf, runAll, settled, sleep, textOf } from "./tools.mjs";

const scenariosFor = ({ url, people }) => {
const api = `${url}/agentui/protocols/ai-sdk/helper/chat`;
const headers = people.ada;
const tools = {
  get_place: {
    description: "Where the person is.",
    parameters: { type: "object", properties: { precise: { type: "boolean" } } },
  },
};
const run = crypto.randomUUID().slice(0, 8);
const log = { posts: 0, toolCalls: [], errors: [], statuses: [], data: [] };

const countingFetch = (input, init) => {
  if (init?.method === "POST") log.posts += 1;
  return fetch(input, init);
};

const open = async (
  id,
  { messages = [], Transport = DefaultChatTransport, to = api, wait = 0, byHand = false } = {},
) => {
  const chat = await mount(() =>
    useChat({
      id,
      messages,
      transport: new Transport({
        api: to,
        headers,
        body: { tools },
        fetch: countingFetch,
        prepareReconnectToStreamRequest: ({ id, headers }) => ({
          api: `${api}/${id}/stream?wait=${wait}`,
          headers,
        }),
      }),
      sendAutomaticallyWhen: (given) =>
        lastAssistantMessageIsCompleteWithToolCalls(given) ||
        lastAssistantMessageIsCompleteWithApprovalResponses(given),
      onError: (error) => log.errors.push(error.message),
      onData: (part) => log.data.push(part),
      onToolCall: ({ toolCall }) => {
        log.toolCalls.push(toolCall.toolName);
        if (toolCall.toolName === "get_place" && !byHand)
          void chat.now.addToolOutput({
            tool: "get_place",
            toolCallId: toolCall.toolCallId,
            output: { city: "Oslo" },
          });
      },
    }),
  );
  return chat;
};

/** Nothing runs, and nothing is about to: no call of the page is on its way. */
const quiet = (chat, ms = 20_000) =>
  settled(() => ["ready", "error"].includes(chat.now.status) && !isPages(chat.now.messages.at(-1)), ms);
const isPages = (message) =>
  message?.parts.some(
    (part) => part.type === "tool-get_place" && !["output-available", "output-error"].includes(part.state),
  );
const get = async (path, who = headers) => (await fetch(url + path, { headers: who })).json();
const post = (path, body, who = headers) =>
  fetch(url + path, {
    method: "POST",
    headers: { ...who, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const stored = async (id) => (await get(`/agentui/protocols/ai-sdk/helper/chat/${id}/messages`)).messages;
const lastOf = (chat) => chat.now.messages.at(-1);
const toolPart = (chat) => lastOf(chat).parts.find((part) => part.type.startsWith("tool-"));
/** Do something that makes the page ask the server, and wait for what comes of it. */
const act = async (chat, something) => {
  const before = log.posts;
  await something();
  await settled(() => log.posts > before, 20_000);
  await quiet(chat);
};
const say = (chat, text) => act(chat, () => chat.now.sendMessage({ text }));
const report = async (chat, id, more = {}) => ({
  status: chat.now.status,
  messages: chat.now.messages,
  stored: await stored(id),
  state: (await get(`/agentui/protocols/ai-sdk/helper/chat/${id}/messages`)).state,
  ...log,
  ...more,
});

const decideAsStaff = async (call, verdict, reason = "") => {
  const list = () => get("/agentui/api/approvals/?status=pending", people.grace);
  const approval = await approvalOf(call, list);
  const answer = await post(
    `/agentui/api/approvals/${approval.id}/decide/`,
    { verdict, reason },
    people.grace,
  );
  if (!answer.ok) throw new Error(await answer.text());
};

const scenarios = {
  async say(text) {
    const chat = await open(`say-${run}`);
    await say(chat, text);
    return report(chat, `say-${run}`);
  },

  async approval(approved, reason) {
    const chat = await open(`approval-${run}`);
    await say(chat, "deploy rocket");
    const asked = structuredClone(lastOf(chat));
    const { id } = toolPart(chat).approval;
    await act(chat, () => chat.now.addToolApprovalResponse({ id, approved, reason }));
    return report(chat, `approval-${run}`, { asked });
  },

  // Two tabs show the same open call, and both have an answer.
  async two_tabs(atOnce) {
    const id = `tabs-${run}`;
    const first = await open(id, { byHand: true });
    await first.now.sendMessage({ text: "page" });
    await settled(() => first.now.status === "ready" && isPages(lastOf(first)));
    const second = await open(id, { messages: await stored(id), byHand: true });
    const answer = (chat, city) =>
      act(chat, () =>
        chat.now.addToolOutput({
          tool: "get_place",
          toolCallId: toolPart(chat).toolCallId,
          output: { city },
        }),
      );
    if (atOnce) await Promise.all([answer(first, "Oslo"), answer(second, "Bergen")]);
    else {
      await answer(first, "Oslo");
      await answer(second, "Bergen");
    }
    await quiet(first);
    await quiet(second);
    return report(second, id, { first: first.now.messages });
  },

  async refused() {
    const chat = await open(`refused-${run}`);
    await say(chat, "refund shoes");
    const { id } = toolPart(chat).approval;
    await act(chat, () => chat.now.addToolApprovalResponse({ id, approved: true }));
    return report(chat, `refused-${run}`);
  },

  // Staff decide while the page waits; the page holds a request open that answers when the run goes on.
  async elsewhere(verdict, reason) {
    const chat = await open(`elsewhere-${run}`, { wait: 20 });
    await say(chat, "refund shoes");
    const asked = structuredClone(lastOf(chat));
    const waiting = chat.now.resumeStream();
    await sleep(100);
    await decideAsStaff(toolPart(chat).toolCallId, verdict, reason);
    await waiting;
    await quiet(chat);
    return report(chat, `elsewhere-${run}`, { asked });
  },

  async reload() {
    const first = await open(`reload-${run}`);
    void first.now.sendMessage({ text: "slow" });
    await settled(() => lastOf(first)?.role === "assistant" && textOf(lastOf(first)).length > 10);
    first.unmount();
    const before = await stored(`reload-${run}`);
    const chat = await open(`reload-${run}`, { messages: before });
    await chat.now.resumeStream();
    await quiet(chat, 20_000);
    return report(chat, `reload-${run}`, { before });
  },

  // The connection breaks and nobody comes back: the run goes on without anybody.
  async disconnect() {
    const chat = await open(`disconnect-${run}`);
    void chat.now.sendMessage({ text: "slow" });
    await settled(() => lastOf(chat)?.role === "assistant" && textOf(lastOf(chat)).length > 10);
    await chat.now.stop();
    const aborted = structuredClone(chat.now.messages);
    for (;;) {
      const page = await get(`/agentui/protocols/ai-sdk/helper/chat/disconnect-${run}/messages`);
      if (!page.isRunning) break;
      await sleep(100);
    }
    return report(chat, `disconnect-${run}`, { aborted });
  },

  async stop() {
    const chat = await open(`stop-${run}`);
    void chat.now.sendMessage({ text: "slow" });
    await settled(() => lastOf(chat)?.role === "assistant" && textOf(lastOf(chat)).length > 10);
    const stopped = await post(`/agentui/protocols/ai-sdk/helper/chat/stop-${run}/stop`, {});
    await quiet(chat);
    return report(chat, `stop-${run}`, { stopped: stopped.status });
  },

  async regenerate() {
    const chat = await open(`regenerate-${run}`);
    await say(chat, "hello");
    const first = lastOf(chat).id;
    await chat.now.regenerate();
    await quiet(chat);
    return report(chat, `regenerate-${run}`, { first });
  },

  async edit() {
    const chat = await open(`edit-${run}`);
    await say(chat, "hello");
    await say(chat, "history");
    const asked = chat.now.messages[2].id;
    await chat.now.sendMessage({ text: "history", messageId: chat.now.messages[0].id });
    await quiet(chat);
    return report(chat, `edit-${run}`, { asked });
  },

  async goes_on() {
    const chat = await open(`goes-on-${run}`);
    await say(chat, "deploy rocket");
    await say(chat, "never mind");
    await say(chat, "history");
    return report(chat, `goes-on-${run}`);
  },

  async nothing_running() {
    const chat = await open(`nothing-${run}`);
    await say(chat, "hello");
    const answer = await fetch(`${api}/nothing-${run}/stream`, { headers });
    await chat.now.resumeStream();
    return report(chat, `nothing-${run}`, { answer: answer.status });
  },

  async plain_text() {
    const to = `${url}/agentui/protocols/plain-text/helper/chat`;
    const chat = await open(`plain-${run}`, { Transport: TextStreamChatTransport, to });
    await say(chat, "add");
    return report(chat, `plain-${run}`);
  },
};

return scenarios;
};

await runAll(scenariosFor);

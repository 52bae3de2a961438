// Runs conformance cases against the real packages: JSON of cases on stdin, {id: result} on stdout.
import { Chat } from "@ai-sdk/react";
import { toLanguageModelMessages } from "@assistant-ui/react-data-stream";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from "ai";
import {
  AssistantMessageAccumulator,
  AssistantTransportDecoder,
  DataStreamDecoder,
  UIMessageStreamDecoder,
  unstable_createInitialMessage,
} from "assistant-stream";
import { fromThreadMessageLike } from "@assistant-ui/core";
import { convertExternalMessages } from "@assistant-ui/core/react";
import { readAll, settled, stdin } from "./tools.mjs";

const body = (text) => new Response(text).body;

const accumulate = async (stream, { initialState = null, strict = true } = {}) => {
  const messages = stream.pipeThrough(
    new AssistantMessageAccumulator({
      strict,
      initialMessage: unstable_createInitialMessage({ unstable_state: initialState }),
    }),
  );
  return (await readAll(messages)).at(-1);
};

const run = {
  async ai_sdk_client({ responses, auto, actions = [], done = true }) {
    const posts = [];
    const chat = new Chat({
      id: "chat",
      sendAutomaticallyWhen: {
        approvals: lastAssistantMessageIsCompleteWithApprovalResponses,
        tools: lastAssistantMessageIsCompleteWithToolCalls,
      }[auto],
      transport: new DefaultChatTransport({
        fetch: async (_url, init) => {
          const { trigger, messageId, messages } = JSON.parse(init.body);
          const { role, parts } = messages.at(-1);
          posts.push({ trigger, ...(messageId && { messageId }), last: { role, parts } });
          const chunks = responses[posts.length - 1];
          if (!chunks) throw new Error("one request too many");
          const frames = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
          return new Response(frames.join("") + (done ? "data: [DONE]\n\n" : ""), {
            headers: { "content-type": "text/event-stream" },
          });
        },
      }),
    });
    await chat.sendMessage({ text: "hi" });
    for (const action of actions) {
      if (action.do === "approve") {
        const { id, approved, reason } = action;
        await chat.addToolApprovalResponse({ id, approved, ...(reason && { reason }) });
      } else {
        const { tool, toolCallId, output } = action;
        await chat.addToolOutput({ tool, toolCallId, output });
      }
      await settled(() => chat.status === "ready" || chat.status === "error");
    }
    const messages = chat.messages.map((message) => ({
      ...message,
      id: message.role === "user" ? "<generated>" : message.id,
    }));
    return { status: chat.status, error: firstLine(chat.error), posts, messages };
  },

  data_stream_decode: ({ lines, strict = true, initialState }) =>
    accumulate(
      body(lines.map((line) => `${line}\n`).join("")).pipeThrough(new DataStreamDecoder({ strict })),
      { initialState, strict },
    ),

  ui_message_stream_decode: ({ events }) =>
    accumulate(
      body(
        events
          .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
          .join(""),
      ).pipeThrough(new UIMessageStreamDecoder()),
    ),

  assistant_transport_decode: ({ sse, strict = true }) =>
    readAll(body(sse).pipeThrough(new AssistantTransportDecoder({ strict }))),

  assistant_transport_accumulate: ({ sse }) =>
    accumulate(body(sse).pipeThrough(new AssistantTransportDecoder())),

  external_status: ({ messages, isRunning, metadata = {} }) =>
    convertExternalMessages(messages, (message) => message, isRunning, metadata).map(
      ({ role, status }) => ({ role, ...(status && { status }) }),
    ),

  model_messages: ({ messages, includeId }) =>
    toLanguageModelMessages(
      messages.map((message) =>
        fromThreadMessageLike(message, message.id, { type: "complete", reason: "unknown" }),
      ),
      { unstable_includeId: includeId },
    ),
};

const firstLine = (error) => (error ? String(error.message).split("\n")[0] : null);

const results = {};
for (const { id, area, input } of JSON.parse(await stdin())) {
  try {
    results[id] = (await run[area](input)) ?? null;
  } catch (error) {
    results[id] = { throws: String(error.message) };
  }
}
process.stdout.write(JSON.stringify(results));

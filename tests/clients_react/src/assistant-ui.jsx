import { useChat } from "@ai-sdk/react";
import { AssistantChatTransport, useAISDKChat, useAISDKRuntime } from "@assistant-ui/ai-sdk";
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useAssistantTool,
} from "@assistant-ui/react";
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
} from "ai";
import { useEffect } from "react";
import { place, show, threadId, token } from "./page.js";

const api = "/agentui/protocols/ai-sdk/helper/chat";

const Text = ({ text }) => <p data-testid="text">{text}</p>;

function Call({ toolName, approval, result, isError, respondToApproval }) {
  const open = approval && approval.approved === undefined && !approval.resolution;
  return (
    <div data-testid="call">
      {toolName}: {result === undefined ? "waits" : JSON.stringify(result)}
      {isError ? " (error)" : ""}
      {open && (
        <>
          <button type="button" onClick={() => respondToApproval({ approved: true })}>
            Approve
          </button>
          <button
            type="button"
            onClick={() => respondToApproval({ approved: false, reason: "Too early" })}
          >
            Deny
          </button>
        </>
      )}
    </div>
  );
}

const Message = () => (
  <MessagePrimitive.Root data-testid="message">
    <MessagePrimitive.Parts components={{ Text, tools: { Fallback: Call } }} />
    <MessagePrimitive.Error>
      <p data-testid="error">Failed</p>
    </MessagePrimitive.Error>
  </MessagePrimitive.Root>
);

/** While an approval is open, a request waits until somebody has decided. */
function useDecidedElsewhere() {
  const chat = useAISDKChat();
  const waits = chat?.messages
    .at(-1)
    ?.parts.some((part) => part.state === "approval-requested");
  const isIdle = chat?.status === "ready";
  useEffect(() => {
    if (waits && isIdle) void chat.resumeStream();
  }, [waits, isIdle]);
}

function Chat() {
  useAssistantTool({
    toolName: "get_place",
    description: "Where the person is.",
    parameters: { type: "object", properties: { precise: { type: "boolean" } } },
    execute: async (given) => place(given),
  });
  useDecidedElsewhere();
  return (
    <ThreadPrimitive.Root>
      <ThreadPrimitive.Messages components={{ Message }} />
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Input aria-label="Message" />
        <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
      </ComposerPrimitive.Root>
    </ThreadPrimitive.Root>
  );
}

const transport = new AssistantChatTransport({
  api,
  headers: () => ({ "X-CSRFToken": token() }),
  // Without its cloud assistant-ui makes a new id for each visit; this page keeps its own.
  prepareSendMessagesRequest: ({ body, messages, trigger, messageId }) => ({
    body: { ...body, id: threadId, messages, trigger, messageId },
  }),
  prepareReconnectToStreamRequest: () => ({ api: `${api}/${threadId}/stream?wait=20` }),
});

function Page({ messages }) {
  const chat = useChat({
    id: threadId,
    messages,
    transport,
    sendAutomaticallyWhen: (chat) =>
      lastAssistantMessageIsCompleteWithToolCalls(chat) ||
      lastAssistantMessageIsCompleteWithApprovalResponses(chat),
  });
  const runtime = useAISDKRuntime(chat);
  // The transport sends the page's tools along, which the runtime knows.
  useEffect(() => transport.setRuntime(runtime), [runtime]);
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Chat />
    </AssistantRuntimeProvider>
  );
}

const { messages } = await (await fetch(`${api}/${threadId}/messages`)).json();
show(() => <Page messages={messages} />);

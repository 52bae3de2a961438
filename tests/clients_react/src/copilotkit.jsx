import "@copilotkit/react-core/v2/styles.css";
import {
  CopilotChat,
  CopilotKitProvider,
  useFrontendTool,
  useInterrupt,
} from "@copilotkit/react-core/v2";
import { z } from "zod";
import { place, show, threadId, token } from "./page.js";

// Approvals that somebody else decides are activities: the page shows how they stand.
const approvals = [
  {
    activityType: "agentui:approval",
    content: z.any(),
    render: ({ content }) => (
      <p data-testid="staff-approval">
        {content.toolName}: {content.status}
      </p>
    ),
  },
];

function Chat() {
  useFrontendTool({
    name: "get_place",
    description: "Where the person is.",
    parameters: z.object({ precise: z.boolean() }),
    handler: async (given) => place(given),
    render: ({ status }) => <p data-testid="place">{status}</p>,
  });
  useInterrupt({
    agentId: "helper",
    render: ({ resolve }) => (
      <p data-testid="approval">
        <button type="button" onClick={() => resolve({ approved: true })}>
          Approve
        </button>
        <button type="button" onClick={() => resolve({ approved: false, reason: "Too early" })}>
          Deny
        </button>
      </p>
    ),
  });
  return <CopilotChat agentId="helper" threadId={threadId} />;
}

const follow = { agentui: { follow: true } };
const headers = { "X-CSRFToken": token() };

show(() => (
  <CopilotKitProvider
    runtimeUrl="/agentui/protocols/copilotkit"
    headers={headers}
    properties={follow}
    renderActivityMessages={approvals}
  >
    <Chat />
  </CopilotKitProvider>
));

/** The entry of the bundle: importing it defines the web components and gives the client. */
import { awaitBundle } from "./bundles.js";
import { shareKit } from "./share-kit.js";

shareKit();
// The inbox of whoever decides, on a page that has it of its own; the chat asks for it by itself.
if (document.querySelector("agentui-approvals")) awaitBundle("approvals", () => {});

export * from "./client.js";
export { AgentUIChat } from "./elements/chat.js";
export { AgentUIPanel } from "./elements/panel.js";
export { AgentUIThread } from "./elements/thread.js";
export { AgentUIThreadList } from "./elements/thread-list.js";
export { AgentUITool } from "./page-tools/index.js";
export { AgentUIMarkdown } from "./elements/markdown.js";
export { setMathRenderer } from "./elements/math.js";
export { setTexts, type TextKey } from "./elements/texts.js";
/** For renderers of a page that has no Lit of its own. */
export { html, nothing } from "lit";

/**
 * The elements with made-up threads, for looking at them: `node dev/serve.mjs`, then
 * http://127.0.0.1:8093/ with `?view=` tour, empty, streaming, list, lost, signed-out or hostile.
 */
import { registry } from "../src/index.js";
import { FakeRefusal, FakeServer } from "./fake-server.js";
import { addThreads, EMPTY, HOSTILE, STREAMING, TOUR } from "./gallery-threads.js";
import { writeAnswer } from "./gallery-stream.js";

const view = new URLSearchParams(location.search).get("view") ?? "tour";
const server = new FakeServer();
addThreads(server);
Object.defineProperty(globalThis, "WebSocket", { value: server.WebSocket });
globalThis.fetch = async () => new Response(JSON.stringify({ threads: [], next: null }));

registry.registerTool({ name: "set_theme", description: "Change the page's theme.", handler: () => "done" });
for (const type of ["claim_tool_call", "register_tools"]) server.on(type, () => ({ claimed: true }));
server.on("send_message", (command) => {
  if (String(JSON.stringify(command["parts"])).includes("refuse")) {
    throw new FakeRefusal("throttled", "Too many requests. Please wait a moment.");
  }
  return writeAnswer(server, command);
});

const chat = document.querySelector("agentui-chat");
const thread = { empty: EMPTY, streaming: STREAMING, hostile: HOSTILE }[view] ?? TOUR;
chat?.setAttribute("thread", thread);
for (const name of ["theme", "dir"]) {
  const value = new URLSearchParams(location.search).get(name);
  if (value && name === "dir") document.documentElement.dir = value;
  else if (value) chat?.setAttribute(name, value);
}
customElements.whenDefined("agentui-chat").then(() => {
  setTimeout(() => {
    server.pushThreads();
    if (view === "streaming") writeAnswer(server, { thread: STREAMING });
    if (view === "lost") server.greets = false;
    if (view === "lost") server.drop();
    if (view === "signed-out") server.drop(4401);
  }, 50);
});

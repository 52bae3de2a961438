// The lines of the documentation, as written: {url, people, blocks: {name: path}} on stdin.
import { pathToFileURL } from "node:url";
import { mount } from "./react.mjs";
import { settled, sleep, stdin, textOf } from "./tools.mjs";

const { url, people, blocks } = JSON.parse(await stdin());

// A page of the site: its address, its cookies, and a fetch that sends them along.
globalThis.location = new URL(`${url}/support/`);
const cookies = people.ada.cookie;
Object.defineProperty(document, "cookie", { get: () => cookies });
const realFetch = globalThis.fetch;
globalThis.fetch = (input, init = {}) => {
  const target = new URL(input instanceof Request ? input.url : input, url);
  const headers = new Headers(init.headers);
  headers.set("cookie", cookies);
  return realFetch(target, { ...init, headers });
};

const { createElement } = await import("react");
const { AssistantRuntimeProvider } = await import("@assistant-ui/react");
const { useChat } = await import("@ai-sdk/react");
const { useChatRuntime, AssistantChatTransport } = await import("@assistant-ui/ai-sdk");
const load = (name) => import(pathToFileURL(blocks[name]).href);

const chat = async (useIt) => {
  const page = await mount(useIt);
  await page.now.sendMessage({ text: "hello" });
  await settled(() => page.now.status === "ready" && page.now.messages.length === 2);
  return textOf(page.now.messages.at(-1));
};

const runtime = async (useIt) => {
  let made;
  const Wrapper = ({ children }) => {
    made = useIt();
    return createElement(AssistantRuntimeProvider, { runtime: made }, children);
  };
  const page = await mount(() => made, Wrapper);
  await sleep(200);
  page.now.thread.append({ role: "user", content: [{ type: "text", text: "hello" }] });
  const state = () => page.now.thread.getState();
  await settled(() => !state().isRunning && state().messages.at(-1)?.role === "assistant");
  await sleep(200);
  return textOf(state().messages.at(-1));
};

const id = crypto.randomUUID();
const results = {
  use_chat: await load("use_chat").then(({ useSupport }) => chat(() => useSupport(`a-${id}`))),
  plain_text: await load("plain_text").then(({ transport }) => chat(() => useChat({ id: `b-${id}`, transport }))),
  chat_runtime: await load("chat_runtime").then(({ useSupport }) => runtime(useSupport)),
  data_stream: await load("data_stream").then(({ useSupport }) => runtime(() => useSupport(`c-${id}`))),
  ag_ui: await load("ag_ui").then(({ useSupport }) => runtime(() => useSupport(`e-${id}`))),
  transport: await load("transport").then(({ useSupport }) => runtime(() => useSupport(`d-${id}`))),
  cloud: await load("cloud").then(async ({ cloud }) => {
    const api = "/agentui/protocols/ai-sdk/helper/chat";
    const headers = { "X-CSRFToken": people.ada["x-csrftoken"] };
    const said = await runtime(() =>
      useChatRuntime({ cloud, transport: new AssistantChatTransport({ api, headers }) }),
    );
    const { threads } = await cloud.threads.list();
    const { messages } = await cloud.threads.messages.list(threads[0].id);
    return [said, messages.length];
  }),
};
process.stdout.write(JSON.stringify(results), () => process.exit(0));

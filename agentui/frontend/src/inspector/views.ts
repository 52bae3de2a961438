/** One table for each tab. Text only: nothing of what travels is ever parsed as HTML. */
import type { Recording } from "./recording.js";

export const VIEWS = { Events: eventsView, Messages: messagesView, Tools: toolsView, Timing: timingView };
export type ViewName = keyof typeof VIEWS;

function eventsView({ lines }: Recording): HTMLElement {
  const rows = lines.toReversed().map(({ direction, at, type, bytes, frame }) => [
    seconds(at),
    direction === "in" ? "←" : "→",
    type,
    `${bytes}`,
    json(frame),
  ]);
  return table(["s", "", "type", "bytes", "frame"], rows);
}

function messagesView({ lines, client, threads }: Recording): HTMLElement {
  const box = document.createElement("div");
  for (const id of threads) {
    const thread = client.threads.get(id);
    const snapshot = lines.findLast(({ type, frame }) => type === "snapshot" && (frame as { thread: { id: string } }).thread.id === id);
    box.append(heading(`${id} ${thread?.title ?? ""}`), details("thread", thread), details("last snapshot", snapshot?.frame));
    for (const element of elementsOf(id)) {
      const rows = element.store.messages.map(({ role, status, parts, usage, id: message }) => [
        role,
        `${status.type}/${status.reason ?? ""}`,
        JSON.stringify(usage ?? null),
        json({ id: message, parts }),
      ]);
      box.append(table(["role", "status", "usage", "parts"], rows), details("state", element.store.thread?.state));
    }
  }
  return box;
}

interface StoreView {
  id: string | null;
  messages: { id: string; role: string; status: { type: string; reason?: string }; parts: unknown; usage: unknown }[];
  thread: { state: unknown } | null;
}

/** The threads on the page, wherever their elements stand. */
function elementsOf(id: string): { store: StoreView }[] {
  const chats = [...document.querySelectorAll("agentui-chat, agentui-panel, agentui-thread")];
  return chats
    .flatMap((chat) => [chat, ...within(chat, "agentui-chat"), ...within(chat, "agentui-thread")])
    .flatMap((chat) => [chat, ...within(chat, "agentui-thread")])
    .filter((element, index, all) => all.indexOf(element) === index)
    .filter((element): element is Element & { store: StoreView } => (element as { store?: StoreView }).store?.id === id);
}

function within(element: Element, name: string): Element[] {
  return [...(element.shadowRoot?.querySelectorAll(name) ?? [])];
}

function toolsView({ client, tools }: Recording): HTMLElement {
  const box = document.createElement("div");
  const offered = client.registry.definitions().map((tool) => [tool.name, tool.agent ?? "all", tool.description, json(tool.parameters)]);
  const ran = [...tools.values()].toReversed().map(({ name, began, ended, outcome }) => [
    name,
    seconds(began),
    ended === null ? "running" : `${Math.round(ended - began)} ms`,
    json(outcome),
  ]);
  box.append(heading("Sent to the server"), table(["name", "agent", "description", "parameters"], offered));
  box.append(heading("Run here"), table(["name", "s", "took", "outcome"], ran));
  return box;
}

function timingView({ runs }: Recording): HTMLElement {
  const rows = [...runs.values()].toReversed().map(({ run, began, firstText, last, events, characters }) => [
    run,
    firstText === null ? "-" : `${Math.round(firstText - began)} ms`,
    `${((last - began) / 1000).toFixed(1)} s`,
    `${events}`,
    `${characters}`,
    `${Math.round(characters / Math.max(0.001, (last - (firstText ?? began)) / 1000))} /s`,
  ]);
  return table(["run", "first text", "took", "events", "characters", "rate"], rows);
}

function table(heads: string[], rows: (string | HTMLElement)[][]): HTMLTableElement {
  const made = document.createElement("table");
  const head = made.createTHead().insertRow();
  for (const text of heads) head.append(Object.assign(document.createElement("th"), { textContent: text }));
  const body = made.createTBody();
  for (const cells of rows) {
    const row = body.insertRow();
    for (const cell of cells) row.insertCell().append(cell);
  }
  return made;
}

function heading(text: string): HTMLElement {
  return Object.assign(document.createElement("h4"), { textContent: text });
}

/** The JSON is made when it is opened: five hundred frames are a lot of text. */
function json(value: unknown): HTMLElement {
  const short = JSON.stringify(value) ?? "";
  return details(short.length > 120 ? `${short.slice(0, 120)}…` : short, value);
}

function details(summary: string, value: unknown): HTMLElement {
  const made = document.createElement("details");
  made.append(Object.assign(document.createElement("summary"), { textContent: summary }));
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) {
      made.append(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(value, null, 2) ?? "" }));
    }
  });
  return made;
}

function seconds(at: number): string {
  return (at / 1000).toFixed(2);
}

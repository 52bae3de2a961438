/**
 * For the site's developer, in DEBUG: what travels, what a thread holds, which tools the page offers
 * and how long things take. Alt+Shift+I shows and hides it. A bundle of its own; plain DOM.
 */
import type { Client } from "../client/client.js";
import { Inspector } from "./panel.js";
import { Recording } from "./recording.js";

const recordings = new Map<Client, Recording>();
let shown: Inspector | null = null;

function record(client: Client | null | undefined): void {
  if (client && !recordings.has(client)) recordings.set(client, new Recording(client));
}

function toggle(): void {
  if (shown) {
    shown.remove();
    shown = null;
    return;
  }
  shown = new Inspector([...recordings.values()]);
  document.body.append(shown);
}

document.addEventListener("agentui-ready", (event) => record((event as CustomEvent<{ client: Client }>).detail.client));
document.addEventListener("agentui-inspect", toggle);
document.addEventListener("keydown", (event) => {
  if (event.altKey && event.shiftKey && event.code === "KeyI") toggle();
});
for (const chat of document.querySelectorAll<HTMLElement & { client?: Client | null }>("agentui-chat")) record(chat.client);
console.info("agentui: Alt+Shift+I shows the inspector (only while DEBUG is on).");

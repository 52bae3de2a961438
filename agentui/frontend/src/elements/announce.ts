/** Says to a screen reader how the answer stands; never its words one by one. */
import type { ThreadStore } from "../client/thread-store.js";
import { t } from "./texts.js";

const said = new WeakMap<Element, string>();

export function announce(region: Element, store: ThreadStore): void {
  const text = situation(store);
  // Nothing was running when the page came: silence, not news.
  const before = said.get(region) ?? null;
  said.set(region, text);
  if (before === null || before === text) return;
  region.textContent = text;
}

function situation(store: ThreadStore): string {
  const last = store.messages.at(-1);
  if (last === undefined || last.role !== "assistant") return "";
  const calls = last.parts.filter((part) => part.type === "tool_call");
  if (calls.some((call) => call.status === "awaiting_approval")) return t("approvalTitle");
  if (calls.some((call) => call.kind === "human" && call.status === "pending")) return t("question");
  switch (last.status.type) {
    case "queued":
    case "running":
      return t("answering");
    case "incomplete":
      return last.status.reason === "cancelled" ? t("stopped") : t("errorTitle");
    default:
      return t("answered");
  }
}

/** The answers of a policy in words, with how far "always" reaches. */
import type { PolicyOption } from "../client/rows.js";
import { visible } from "../core/index.js";
import { t, type TextKey } from "./texts.js";
import { span } from "./time.js";
import { toolTitle } from "./values.js";

const LABELS: Partial<Record<string, TextKey>> = {
  allow_once: "approve",
  deny_once: "deny",
  allow_always: "allowAlways",
  deny_always: "denyAlways",
};
const REACHES: Record<string, TextKey> = { thread: "reachThread", user: "reachUser", agent: "reachAgent" };

export function denies(option: PolicyOption | null): boolean {
  return option !== null && /^(deny|reject)/.test(option.kind);
}

export function isAlways(option: PolicyOption | null): option is PolicyOption {
  return option?.kind.endsWith("_always") ?? false;
}

export function optionLabel(option: PolicyOption): string {
  const key = LABELS[option.kind];
  return option.label || (key ? t(key, { reach: reachText(option) }) : toolTitle(option.kind));
}

/** "in this chat with the same order number for 7 days" */
export function reachText(option: PolicyOption): string {
  const key = REACHES[option.reach ?? ""];
  const parts = key ? [t(key)] : [];
  if (option.arguments?.length) {
    parts.push(t("reachSame", { names: option.arguments.map((name) => visible(name)).join(", ") }));
  }
  if (option.expires_after) parts.push(t("reachFor", { time: span(option.expires_after) }));
  return parts.join(" ");
}

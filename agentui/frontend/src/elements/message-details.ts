/** What an answer took: time, tokens, roundtrips, and who wrote it. */
import { html, nothing, type TemplateResult } from "lit";
import type { MessageView } from "../client/message-view.js";
import type { RunRow } from "../client/rows.js";
import { visible, type JsonObject } from "../core/index.js";
import { t } from "./texts.js";

/** The facts there are, as short texts. */
export function factsOf(message: MessageView, run: RunRow | null): string[] {
  const usage = run?.usage ?? message.usage ?? {};
  const seconds = run?.started_at && run.finished_at ? (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000 : null;
  const facts = [
    seconds === null ? "" : t("duration", { n: number(Math.round(seconds * 10) / 10) }),
    tokens("tokensIn", usage, "input_tokens"),
    tokens("tokensOut", usage, "output_tokens"),
    run && run.roundtrips > 1 ? t("stepsCount", { n: run.roundtrips }) : "",
    visible(message.model ?? ""),
  ];
  return facts.filter((fact) => fact !== "");
}

export function detailsView(facts: readonly string[]): TemplateResult | typeof nothing {
  return facts.length > 0 ? html`<p class="facts" part="details">${facts.join(" · ")}</p>` : nothing;
}

function tokens(key: "tokensIn" | "tokensOut", usage: JsonObject, name: string): string {
  const count = usage[name];
  return typeof count === "number" && count > 0 ? t(key, { n: number(count) }) : "";
}

function number(value: number): string {
  return value.toLocaleString(document.documentElement.lang || undefined);
}

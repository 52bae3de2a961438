/**
 * Where the elements find the Markdown engine. It is a bundle of its own, so that the first one
 * stays small and the chat is there before the first answer has to be shown.
 */
import type { MarkdownBlocks } from "./blocks.js";
import type { MarkdownOptions } from "./render.js";

export interface MarkdownEngine {
  blocks: () => Pick<MarkdownBlocks, "closed" | "open" | "update" | "finish">;
  heal: (source: string) => string;
  render: (source: string, options?: MarkdownOptions) => DocumentFragment;
}

export const ENGINE = Symbol.for("agentui.markdown");
export const READY = "agentui-markdown-ready";

export function markdownEngine(): MarkdownEngine | null {
  return ((globalThis as Record<symbol, unknown>)[ENGINE] as MarkdownEngine | undefined) ?? null;
}

let asked = false;

/** Calls back once the engine is there, and sees to it that it comes. */
export function awaitEngine(ready: () => void): void {
  globalThis.addEventListener(READY, ready, { once: true });
  if (asked) return;
  asked = true;
  // The page may have left the second script tag out: it lies beside this file.
  const address = new URL("agentui-markdown.js", import.meta.url);
  if (address.protocol.startsWith("http")) import(address.href).catch(reportError);
}

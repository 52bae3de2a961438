/**
 * What the elements ask of the Markdown engine. It is a bundle of its own, so that the first one stays
 * small and the chat is there before the first answer has to be shown.
 */
import { awaitBundle, bundle } from "../bundles.js";
import type { MarkdownBlocks } from "./blocks.js";
import type { MarkdownOptions } from "./render.js";

export interface MarkdownEngine {
  blocks: (options?: { math?: boolean }) => Pick<MarkdownBlocks, "closed" | "open" | "update" | "finish">;
  sheet: () => CSSStyleSheet;
  heal: (source: string) => string;
  render: (source: string, options?: MarkdownOptions) => DocumentFragment;
}

export function markdownEngine(): MarkdownEngine | null {
  return bundle<MarkdownEngine>("markdown");
}

/** Calls back once the engine is there, and sees to it that it comes. */
export function awaitEngine(ready: () => void): void {
  awaitBundle("markdown", ready);
}

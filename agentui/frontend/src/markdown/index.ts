/**
 * The entry of the second bundle: marked and DOMPurify. A page loads it beside the first one; it
 * makes itself known there, whichever of the two is loaded first.
 */
import { MarkdownBlocks } from "./blocks.js";
import { ENGINE, READY, type MarkdownEngine } from "./engine.js";
import { heal } from "./heal.js";
import { renderMarkdown } from "./render.js";

const engine: MarkdownEngine = { blocks: () => new MarkdownBlocks(), heal, render: renderMarkdown };

(globalThis as Record<symbol, unknown>)[ENGINE] ??= engine;
globalThis.dispatchEvent(new Event(READY));

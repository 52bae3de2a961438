/** The entry of the second bundle: marked and DOMPurify. */
import { announceBundle } from "../bundles.js";
import { MarkdownBlocks } from "./blocks.js";
import type { MarkdownEngine } from "./engine.js";
import { heal } from "./heal.js";
import { renderMarkdown } from "./render.js";

const engine: MarkdownEngine = { blocks: () => new MarkdownBlocks(), heal, render: renderMarkdown };

announceBundle("markdown", engine);

/** The entry of the second bundle: marked and DOMPurify. */
import { announceBundle } from "../bundles.js";
import { MarkdownBlocks } from "./blocks.js";
import type { MarkdownEngine } from "./engine.js";
import { heal } from "./heal.js";
import { renderMarkdown } from "./render.js";
import { markdownSheet } from "./styles.js";

const engine: MarkdownEngine = {
  blocks: (options) => new MarkdownBlocks(options),
  sheet: markdownSheet,
  heal,
  render: renderMarkdown,
};

announceBundle("markdown", engine);

/** The text of marked regions, as a person reads it: what is hidden, typed or secret is left out. */
import { tidy } from "./form-fields.js";

const LONGEST = 20_000;
const SKIPPED = 'script, style, noscript, template, input, textarea, select, agentui-chat, agentui-panel, agentui-thread, agentui-tool, [hidden], [aria-hidden="true"], [data-agentui="off"]';
const BLOCKS = /^(P|DIV|SECTION|ARTICLE|H[1-6]|LI|TR|DT|DD|PRE|BLOCKQUOTE|TABLE|UL|OL|DL|FIGURE|BR)$/;

export function readRegion(regions: readonly Element[]): string {
  const text = regions.map(textOf).join("\n\n");
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

function textOf(region: Element): string {
  const pieces: string[] = [];
  collect(region, pieces);
  return pieces
    .join("")
    .split("\n")
    .map(tidy)
    .filter((line) => line !== "")
    .join("\n");
}

function collect(node: Node, pieces: string[]): void {
  if (node.nodeType === Node.TEXT_NODE) return void pieces.push((node.textContent ?? "").replace(/\s+/g, " "));
  if (!(node instanceof Element) || node.matches(SKIPPED) || !isShown(node)) return;
  const isBlock = BLOCKS.test(node.tagName);
  if (isBlock) pieces.push("\n");
  for (const child of node.childNodes) collect(child, pieces);
  if (/^T[DH]$/.test(node.tagName)) pieces.push(" | ");
  if (isBlock) pieces.push("\n");
}

function isShown(element: Element): boolean {
  return typeof element.checkVisibility !== "function" || element.checkVisibility({ visibilityProperty: true });
}

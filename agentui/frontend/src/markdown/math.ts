/**
 * Formulas in Markdown, for a page that draws them: `$x$`, `\(x\)`, `$$x$$`, `\[x\]` and a fence named
 * `math`. Without a renderer of the page none of these means anything, so that "$5 or $6" is money.
 */
import type { Marked, TokenizerAndRendererExtension, Tokens } from "marked";

/** Draws a formula; null, or an exception, leaves its source. */
export type MathRenderer = (tex: string, options: { display: boolean }) => Node | null;

const BLOCK = /^(?:\$\$([\s\S]+?)\$\$|\\\[([\s\S]+?)\\\])[ \t]*(?:\n+|$)/;
/** A sign of money is followed by a blank or a digit somewhere: no formula begins or ends with one. */
const INLINE = /^(?:\$\$([^$]+?)\$\$|\\\[([\s\S]+?)\\\]|\\\(([\s\S]+?)\\\)|\$(?![\s$])((?:\\[^\n]|[^$\\\n])*?)(?<![\s\\])\$(?!\d))/;

/** A formula that is still being written: what follows may belong to it, blank lines too. */
const OPEN = /^(?:\$\$|\\\[)[\s\S]*$/;

const block = (isGrowing: boolean): TokenizerAndRendererExtension => ({
  name: "mathBlock",
  level: "block",
  start: (source) => source.match(/(?:^|\n)(?:\$\$|\\\[)/)?.index,
  tokenizer(source) {
    const match = BLOCK.exec(source) ?? (isGrowing ? OPEN.exec(source) : null);
    if (match === null) return undefined;
    return { type: "mathBlock", raw: match[0], text: (match[1] ?? match[2] ?? "").trim() };
  },
  renderer: ({ text }) => `<pre><code class="language-math">${escape(text)}</code></pre>\n`,
});

const inline: TokenizerAndRendererExtension = {
  name: "mathInline",
  level: "inline",
  start: (source) => source.match(/\$|\\[([]/)?.index,
  tokenizer(source) {
    const match = INLINE.exec(source);
    if (match === null) return undefined;
    const text = match.slice(1).find((part) => part !== undefined) ?? "";
    return { type: "mathInline", raw: match[0], text: text.trim() };
  },
  renderer: ({ text }) => `<code class="language-math">${escape(text)}</code>`,
};

/** `isGrowing`: for splitting a text that is not whole into blocks. */
export function withMath(marked: Marked, isGrowing = false): Marked {
  return marked.use({ extensions: [block(isGrowing), inline] });
}

/** Put the page's nodes in the place of what has been sanitised. */
export function drawMath(fragment: DocumentFragment, draw: MathRenderer): void {
  for (const code of fragment.querySelectorAll("code.language-math")) {
    const pre = code.parentElement?.tagName === "PRE" ? code.parentElement : null;
    try {
      const node = draw((code.textContent ?? "").trim(), { display: pre !== null });
      if (node !== null) (pre ?? code).replaceWith(node);
    } catch (error) {
      reportError(error);
    }
  }
}

function escape(text: Tokens.Generic["text"]): string {
  return String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

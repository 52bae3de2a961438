/**
 * Markdown to DOM nodes. marked writes HTML from tokens, with raw HTML already escaped; DOMPurify is
 * the second wall: it lets through a short list of elements and attributes, and no address that
 * `links.ts` refuses. No string of ours is ever assigned to the page.
 */
import DOMPurify from "dompurify";
import { Marked, type MarkedExtension, type Tokens } from "marked";
import { safeImage, safeLink } from "./links.js";
import { drawMath, withMath, type MathRenderer } from "./math.js";

export interface MarkdownOptions {
  /** Paths of this site from which images are loaded, as `/media/`. */
  images?: readonly string[];
  /** Draws formulas; without it there are none. */
  math?: MathRenderer | null;
}

const TAGS = [
  "a", "b", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i",
  "img", "kbd", "li", "mark", "ol", "p", "pre", "s", "strong", "sub", "sup", "table", "tbody", "td",
  "th", "thead", "tr", "u", "ul",
]; // prettier-ignore
const ATTRIBUTES = ["align", "alt", "class", "href", "src", "start", "title"];
/** HTML that people write in Markdown and that carries no address. */
const PLAIN_HTML = /^<\/?(?:b|br|del|em|i|kbd|mark|s|strong|sub|sup|u)\s*\/?>$/i;
const LANGUAGE = /^language-[\w+#.-]{1,30}$/;

const purify = DOMPurify();
let allowedImages: readonly string[] = [];

purify.addHook("uponSanitizeAttribute", (_node, data) => {
  if (data.attrName === "class") data.keepAttr = LANGUAGE.test(data.attrValue);
  if (data.attrName === "href") data.keepAttr = safeLink(data.attrValue) !== null;
  if (data.attrName === "src") data.keepAttr = safeImage(data.attrValue, allowedImages) !== null;
});
purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName === "A" && node.hasAttribute("href")) {
    node.setAttribute("target", "_blank");
    node.setAttribute("rel", "noopener noreferrer");
  }
  if (node.nodeName === "IMG") {
    if (node.hasAttribute("src")) node.setAttribute("loading", "lazy");
    else node.remove();
  }
});

const options: MarkedExtension = {
  gfm: true,
  breaks: true,
  renderer: {
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return PLAIN_HTML.test(text.trim()) ? text : escape(text);
    },
    link({ href, title, tokens }: Tokens.Link): string {
      const label = this.parser.parseInline(tokens);
      const address = safeLink(href);
      if (address === null) return label;
      return `<a href="${escape(address)}" title="${escape(title ?? address)}">${label}</a>`;
    },
    image({ href, title, text }: Tokens.Image): string {
      const image = safeImage(href, allowedImages);
      if (image !== null) return `<img src="${escape(image)}" alt="${escape(text)}">`;
      const address = safeLink(href);
      const label = escape(text || title || href);
      return address === null ? label : `<a href="${escape(address)}" title="${escape(address)}">${label}</a>`;
    },
    checkbox({ checked }: Tokens.Checkbox): string {
      return checked ? "☑ " : "☐ ";
    },
  },
};
const plain = new Marked(options);
const mathematical = withMath(new Marked(options));

/** The nodes of some Markdown; nothing in them runs or makes a request by itself. */
export function renderMarkdown(source: string, { images = [], math = null }: MarkdownOptions = {}): DocumentFragment {
  allowedImages = images;
  const written = (math === null ? plain : mathematical).parse(source, { async: false });
  const fragment = purify.sanitize(written, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  if (math !== null) drawMath(fragment, math);
  return fragment;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

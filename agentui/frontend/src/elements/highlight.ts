/** Colours for code that stands still, once the bundle for them is there. */
import { awaitBundle, bundle } from "../bundles.js";

interface HighlightEngine {
  highlight: (code: string, language: string) => DocumentFragment | null;
}

/** Longer code is shown as it is: marking it would hold up the page. */
const LONGEST = 30_000;

export function highlightCode(code: HTMLElement, language: string): void {
  const text = code.textContent ?? "";
  if (language === "" || text === "" || text.length > LONGEST) return;
  const engine = bundle<HighlightEngine>("highlight");
  if (engine === null) return awaitBundle("highlight", () => highlightCode(code, language));
  const marked = engine.highlight(text, language);
  if (marked) code.replaceChildren(marked);
}

/** Lets the person see what the agent touches: scrolled into view, framed for a moment. */
const SHOWN_FOR = 2_000;

export function show(element: Element): void {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView?.({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
  // An animation of the element itself needs no style sheet on the page and leaves nothing behind.
  element.animate?.(
    [
      { outline: "2px solid Highlight", outlineOffset: "3px" },
      { outline: "2px solid Highlight", outlineOffset: "3px", offset: 0.8 },
      { outline: "2px solid transparent", outlineOffset: "3px" },
    ],
    { duration: SHOWN_FOR },
  );
}

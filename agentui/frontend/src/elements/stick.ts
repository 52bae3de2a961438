/**
 * Keeps a scrolling box at its end while the reader is there. While they read further up, what they
 * see stays where it is, whatever grows, comes or goes above it. Not every browser does that by itself,
 * so none is asked to (`overflow-anchor: none`).
 */
const NEAR = 64;

export interface StickOptions {
  onChange: (atEnd: boolean) => void;
  /** False while the end of the box is not the end of what there is. */
  mayStick: () => boolean;
  /** The elements one of which stays where it is, in their order. */
  marks: () => HTMLCollection | null;
}

export class StickToEnd {
  readonly #options: StickOptions;
  #box: HTMLElement | null = null;
  #observer: ResizeObserver | null = null;
  #atEnd = true;
  #lastTop = 0;
  /** What the reader sees first, and how far below the beginning of the content it stands. */
  #mark: { element: Element; at: number } | null = null;

  constructor(options: StickOptions) {
    this.#options = options;
  }

  get isAtEnd(): boolean {
    return this.#atEnd;
  }

  attach(box: HTMLElement, content: HTMLElement): void {
    if (this.#box === box) return;
    this.detach();
    this.#box = box;
    this.#observer = new ResizeObserver(() => this.keep());
    this.#observer.observe(content);
    this.#observer.observe(box);
    box.addEventListener("scroll", this.#onScroll, { passive: true });
  }

  detach(): void {
    this.#observer?.disconnect();
    this.#box?.removeEventListener("scroll", this.#onScroll);
    this.#box = null;
  }

  /** Called whenever the size of the content has changed; call it after moving content, too. */
  keep(): void {
    const box = this.#box;
    if (!box) return;
    if (this.#atEnd) {
      box.scrollTop = box.scrollHeight;
    } else if (this.#mark?.element.isConnected) {
      // In the content, not in the box: the reader may have scrolled since, without an event yet.
      const at = placeIn(box, this.#mark.element);
      if (Math.abs(at - this.#mark.at) < 1) return;
      box.scrollTop += at - this.#mark.at;
      this.#mark.at = at;
    }
    // Content that became shorter for a moment has moved the box, too; its reader has not.
    this.#lastTop = box.scrollTop;
  }

  /** Call after rendering: an answer that grows is followed in the same frame. */
  follow(): void {
    if (this.#atEnd) this.keep();
  }

  toEnd({ smooth = false } = {}): void {
    this.#set(true);
    const box = this.#box;
    if (!box) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const near = box.scrollHeight - box.scrollTop < 4 * box.clientHeight;
    if (smooth && near && !calm) box.scrollTo({ top: box.scrollHeight, behavior: "smooth" });
    else box.scrollTop = box.scrollHeight;
  }

  readonly #onScroll = (): void => {
    const box = this.#box;
    if (!box) return;
    const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    // Only the reader scrolls up. A box that grew is also further from its end, without any move.
    const movedUp = box.scrollTop < this.#lastTop - 1;
    this.#lastTop = box.scrollTop;
    if (isNear && this.#options.mayStick()) this.#set(true);
    else if (movedUp) this.#set(false);
    this.#remember(box);
  };

  #remember(box: HTMLElement): void {
    const element = this.#atEnd ? null : firstSeen(box, this.#options.marks());
    this.#mark = element && { element, at: placeIn(box, element) };
  }

  #set(atEnd: boolean): void {
    if (this.#atEnd === atEnd) return;
    this.#atEnd = atEnd;
    this.#options.onChange(atEnd);
  }
}

function placeIn(box: Element, element: Element): number {
  return element.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
}

/** The first element that ends below the upper edge of the box; they stand in order. */
function firstSeen(box: Element, marks: HTMLCollection | null): Element | null {
  if (marks === null || marks.length === 0) return null;
  const edge = box.getBoundingClientRect().top;
  let [low, high] = [0, marks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle] as Element).getBoundingClientRect().bottom > edge) high = middle;
    else low = middle + 1;
  }
  return marks[low] as Element;
}

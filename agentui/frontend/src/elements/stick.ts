/**
 * Keeps a scrolling box at its end while the reader is there, and leaves it alone while they read
 * further up. Content that grows above the reader does not move what they see.
 */
const NEAR = 64;

export class StickToEnd {
  readonly #onChange: (atEnd: boolean) => void;
  #box: HTMLElement | null = null;
  #observer: ResizeObserver | null = null;
  #atEnd = true;
  #lastTop = 0;

  constructor(onChange: (atEnd: boolean) => void) {
    this.#onChange = onChange;
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

  /** Call after rendering. */
  keep(): void {
    if (this.#atEnd && this.#box) this.#box.scrollTop = this.#box.scrollHeight;
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

  /** Run `change`, which adds content at the top, without moving what the reader sees. */
  async holding(change: () => Promise<unknown>): Promise<void> {
    const box = this.#box;
    if (!box) return void (await change());
    const below = box.scrollHeight - box.scrollTop;
    await change();
    box.scrollTop = box.scrollHeight - below;
  }

  readonly #onScroll = (): void => {
    const box = this.#box;
    if (!box) return;
    const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
    // Only the reader scrolls up. A box that grew is also further from its end, without any move.
    const movedUp = box.scrollTop < this.#lastTop - 1;
    this.#lastTop = box.scrollTop;
    if (isNear) this.#set(true);
    else if (movedUp) this.#set(false);
  };

  #set(atEnd: boolean): void {
    if (this.#atEnd === atEnd) return;
    this.#atEnd = atEnd;
    this.#onChange(atEnd);
  }
}

/**
 * Where the reader of a thread is: which of its messages are on the page, and that what they read stays
 * in view while others come and go. Earlier and later messages are put there as they scroll.
 */
import type { ThreadStore } from "../client/thread-store.js";
import { MessageWindow, type Range } from "./message-window.js";
import { StickToEnd } from "./stick.js";

/** So many pixels before the reader comes to an end of what is shown, more is. */
const AHEAD = 800;

/** The element that shows the thread. */
export interface ReadingHost {
  readonly store: ThreadStore | null;
  readonly renderRoot: ParentNode;
  readonly updateComplete: Promise<unknown>;
  requestUpdate(): void;
}

export class Reading {
  readonly #host: ReadingHost;
  /** Called with what is fetched for the reader, which may be refused. */
  readonly #onFetch: (fetched: Promise<void>) => void;
  readonly #window = new MessageWindow();
  readonly #stick: StickToEnd;
  /** Messages are being put on the page, or fetched. */
  #isMoving = false;

  constructor(host: ReadingHost, onFetch: (fetched: Promise<void>) => void) {
    this.#host = host;
    this.#onFetch = onFetch;
    this.#stick = new StickToEnd({
      onChange: (atEnd) => this.#onEnd(atEnd),
      mayStick: () => this.#showsNewest,
      marks: () => host.renderRoot.querySelector(".messages")?.children ?? null,
    });
  }

  get isAtEnd(): boolean {
    return this.#stick.isAtEnd;
  }

  /** Which of these messages are to be on the page. */
  range(messages: readonly { id: string }[]): Range {
    return this.#window.range(messages);
  }

  /** Call after every rendering. */
  follow(): void {
    const box = this.#host.renderRoot.querySelector<HTMLElement>(".scroller");
    const content = this.#host.renderRoot.querySelector<HTMLElement>(".column");
    if (box && content) this.#stick.attach(box, content);
    this.#stick.follow();
  }

  /** The box has left the page. */
  detach(): void {
    this.#stick.detach();
  }

  toEnd(): void {
    this.#window.toEnd();
    this.#stick.toEnd();
  }

  readonly toLatest = (): void => {
    const isThere = this.#showsNewest;
    this.#window.toEnd();
    this.#stick.toEnd({ smooth: isThere });
    this.#host.requestUpdate();
  };

  readonly showOlder = (): void => {
    const { store } = this.#host;
    if (store === null || this.#isMoving) return;
    this.#window.hold(store.messages);
    if (this.#window.range(store.messages).from > 0) this.#move(() => this.#window.older(store.messages));
    else if (store.hasMore) {
      this.#move(async () => {
        await store.loadOlder();
        this.#window.older(store.messages);
      });
    }
  };

  readonly onScroll = (event: Event): void => {
    const { store } = this.#host;
    if (store === null) return;
    const box = event.target as HTMLElement;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (box.scrollTop < AHEAD && !this.isAtEnd) this.showOlder();
    else if (below < AHEAD && !this.#showsNewest) this.#move(() => this.#window.newer(store.messages));
  };

  get #showsNewest(): boolean {
    const messages = this.#host.store?.messages ?? [];
    return this.#window.range(messages).to === messages.length;
  }

  #onEnd(atEnd: boolean): void {
    if (atEnd) this.#window.toEnd();
    else this.#window.hold(this.#host.store?.messages ?? []);
    this.#host.requestUpdate();
  }

  /** Put other messages on the page; what the reader sees stays where it is. */
  #move(change: () => void | Promise<void>): void {
    if (this.#isMoving) return;
    this.#isMoving = true;
    const moved = async (): Promise<void> => {
      try {
        await change();
        this.#host.requestUpdate();
        await this.#host.updateComplete;
        this.#stick.keep();
      } finally {
        this.#isMoving = false;
      }
    };
    this.#onFetch(moved());
  }
}

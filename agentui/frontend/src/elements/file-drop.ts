/** Files dragged over an element: says that they may be dropped, and takes them. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

export class FileDrop implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #isOpen: () => boolean;
  readonly #take: (files: Iterable<File>) => void;
  /** Elements inside are entered and left, too. */
  #depth = 0;

  constructor(host: ReactiveControllerHost & HTMLElement, isOpen: () => boolean, take: (files: Iterable<File>) => void) {
    this.#host = host;
    this.#isOpen = isOpen;
    this.#take = take;
    host.addController(this);
  }

  get isOver(): boolean {
    return this.#depth > 0;
  }

  hostConnected(): void {
    for (const name of EVENTS) this.#host.addEventListener(name, this);
  }

  hostDisconnected(): void {
    for (const name of EVENTS) this.#host.removeEventListener(name, this);
  }

  handleEvent(event: DragEvent): void {
    if (!event.dataTransfer?.types.includes("Files") || !this.#isOpen()) return;
    // Also over the rest of the element: a browser opens a file that is dropped on a page.
    event.preventDefault();
    if (event.type === "dragenter") this.#depth++;
    else if (event.type === "dragleave") this.#depth = Math.max(0, this.#depth - 1);
    else if (event.type === "drop") {
      this.#depth = 0;
      this.#take(event.dataTransfer.files);
    }
    if (event.type !== "dragover") this.#host.requestUpdate();
  }
}

const EVENTS = ["dragenter", "dragover", "dragleave", "drop"] as const;

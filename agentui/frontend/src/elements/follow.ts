/** Keeps an element up to date with stores: subscribed while it is on the page. */
import type { ReactiveController, ReactiveControllerHost } from "lit";

interface Subject {
  subscribe(listener: () => void): () => void;
}

export class Follow implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #subjects: Subject[] = [];
  #stops: (() => void)[] = [];
  #connected = false;
  readonly #listener: () => void;

  constructor(host: ReactiveControllerHost, listener?: () => void) {
    this.#host = host;
    this.#listener = listener ?? (() => this.#host.requestUpdate());
    host.addController(this);
  }

  /** Follow these from now on, instead of those before. */
  follow(...subjects: Subject[]): void {
    this.#stop();
    this.#subjects = subjects;
    if (this.#connected) this.#start();
  }

  hostConnected(): void {
    this.#connected = true;
    this.#start();
  }

  hostDisconnected(): void {
    this.#connected = false;
    this.#stop();
  }

  #start(): void {
    this.#stop();
    this.#stops = this.#subjects.map((subject) => subject.subscribe(this.#listener));
  }

  #stop(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }
}

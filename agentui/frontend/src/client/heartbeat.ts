/**
 * Finds out that a socket is dead. Paused while the page is hidden: a hidden page's timers are
 * late, and lateness must not close a good connection.
 */
const INTERVAL = 25_000;
const PATIENCE = 10_000;

type Timer = ReturnType<typeof setTimeout>;

export interface HeartbeatOptions {
  ping: () => void;
  /** Called when nothing at all was heard for the time a ping may take. */
  onSilence: () => void;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #next: Timer | null = null;
  #deadline: Timer | null = null;
  #running = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = true;
    if (globalThis.document?.visibilityState !== "hidden") this.#schedule();
  }

  stop(): void {
    this.#running = false;
    this.pause();
  }

  pause(): void {
    this.#clear();
  }

  /** The page is visible again: ask at once, the socket may have died meanwhile. */
  resume(): void {
    if (this.#running) this.#beat();
  }

  /** Anything that arrives proves that the socket lives. */
  heard(): void {
    if (this.#deadline === null) return;
    clearTimeout(this.#deadline);
    this.#deadline = null;
  }

  #schedule(): void {
    this.#clear();
    this.#next = setTimeout(() => this.#beat(), INTERVAL);
  }

  #beat(): void {
    this.#schedule();
    this.#deadline = setTimeout(() => this.#options.onSilence(), PATIENCE);
    this.#options.ping();
  }

  #clear(): void {
    if (this.#next !== null) clearTimeout(this.#next);
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    this.#next = this.#deadline = null;
  }
}

/** The page's end of a connection to a `FakeServer`: a WebSocket as far as a client uses one. */
import type { FakeServer } from "./fake-server.js";

export class FakeSocket {
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly url: string;
  readonly #server: FakeServer;
  #open = true;

  constructor(url: string, server: FakeServer) {
    this.url = url;
    this.#server = server;
    queueMicrotask(() => this.#open && server.opened(this));
  }

  send(text: string): void {
    if (!this.#open) return;
    queueMicrotask(() => this.#open && this.#server.receive(this, text));
  }

  /** The page closes it. */
  close(): void {
    this.end(1000);
  }

  /** A frame from the server. */
  push(frame: object): void {
    const data = JSON.stringify(frame);
    queueMicrotask(() => this.#open && this.onmessage?.({ data }));
  }

  end(code: number): void {
    if (!this.#open) return;
    this.#open = false;
    this.#server.closed(this);
    queueMicrotask(() => this.onclose?.({ code }));
  }
}

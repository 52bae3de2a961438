/**
 * One socket to the server, kept up for as long as the page wants it.
 *
 * It is "open" from the server's `hello` on. What listens to `frames` sees `hello` first after
 * every reconnect and asks again for what it follows; then unanswered commands are sent again.
 */
import { parseJson } from "../core/index.js";
import { Emitter } from "./emitter.js";
import { AgentUIError } from "./errors.js";
import type { AckFrame, Limits, ServerFrame } from "./frames.js";
import { Heartbeat } from "./heartbeat.js";
import { uuid } from "./ids.js";
import { Outbox, tooBig } from "./outbox.js";

export type ConnectionState = "idle" | "connecting" | "open" | "waiting" | "denied" | "closed";

export interface ConnectionOptions {
  /** `ws:` or `wss:` address. */
  url: string;
  WebSocket?: new (url: string) => WebSocket;
  /** Asked when the socket cannot be opened: is this person signed in at all? */
  isSignedIn?: () => Promise<boolean>;
  random?: () => number;
}

/** Until the server has said what it takes. */
const LIMITS: Limits = {
  frame_bytes: 256 * 1024,
  window_bytes: 1024 * 1024,
  message_chars: 100_000,
  attachment_bytes: 0,
  attachment_types: [],
};
const FIRST_DELAY = 500;
const LONGEST_DELAY = 15_000;
const CONNECT_TIMEOUT = 15_000;
/** The server's close code for "sign in first". */
const NOT_SIGNED_IN = 4401;
const TOO_BIG = 1009;

export class Connection {
  readonly frames = new Emitter<ServerFrame>();
  /** The text of every frame that this page sends. */
  readonly sent = new Emitter<string>();
  readonly changed = new Emitter<ConnectionState>();
  #state: ConnectionState = "idle";
  #socket: WebSocket | null = null;
  #attempt = 0;
  #retry: ReturnType<typeof setTimeout> | null = null;
  #limits = LIMITS;
  #hadHello = false;
  /** How much arrived since this page last sent something. */
  #unanswered = 0;
  readonly #outbox = new Outbox();
  readonly #options: ConnectionOptions;
  readonly #heartbeat: Heartbeat;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#heartbeat = new Heartbeat({
      ping: () => this.post("ping", {}),
      onSilence: () => this.#drop(),
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The longest frame the server takes, in bytes. */
  get frameBytes(): number {
    return this.#limits.frame_bytes;
  }

  /** What the server takes, as it said in its last greeting. */
  get limits(): Limits {
    return this.#limits;
  }

  /** True once the server has greeted us at least once. */
  get hasBeenOpen(): boolean {
    return this.#hadHello;
  }

  connect(): void {
    if (this.#state === "connecting" || this.#state === "open") return;
    globalThis.addEventListener?.("online", this.#onWake);
    globalThis.addEventListener?.("pageshow", this.#onWake);
    globalThis.document?.addEventListener("visibilitychange", this.#onVisibility);
    this.#open();
  }

  /** Ends the connection for good; commands still unanswered are refused. */
  close(): void {
    globalThis.removeEventListener?.("online", this.#onWake);
    globalThis.removeEventListener?.("pageshow", this.#onWake);
    globalThis.document?.removeEventListener("visibilitychange", this.#onVisibility);
    this.#detach()?.close(1000);
    this.#clearRetry();
    this.#outbox.refuseAll(new AgentUIError("closed", "The connection was closed."));
    this.#become("closed");
  }

  /** Try at once instead of at the end of the pause. */
  retryNow(): void {
    if (this.#state !== "waiting" && this.#state !== "denied") return;
    this.#attempt = 0;
    this.#open();
  }

  /**
   * Send a command and wait for its answer, across any number of reconnects. Rejects with an
   * `AgentUIError`: the server's refusal, or `frame_too_big` before anything is sent.
   */
  command(type: string, fields: object, id: string = uuid()): Promise<AckFrame> {
    const text = JSON.stringify({ id, type, ...fields });
    const bytes = new TextEncoder().encode(text).byteLength;
    if (bytes > this.frameBytes) return Promise.reject(tooBig(bytes, this.frameBytes));
    if (this.#state === "denied") return Promise.reject(signedOut());
    if (this.#state === "closed") {
      return Promise.reject(new AgentUIError("closed", "The connection was closed."));
    }
    const answer = this.#outbox.add(id, text);
    if (this.#state === "open") this.#send(text);
    return answer;
  }

  /** Send now or not at all: for what is asked again after every `hello` anyway. Returns its id. */
  post(type: string, fields: object): string {
    const id = uuid();
    if (this.#state === "open") this.#send(JSON.stringify({ id, type, ...fields }));
    return id;
  }

  #send(text: string): void {
    this.#unanswered = 0;
    this.#socket?.send(text);
    this.sent.emit(text);
  }

  #open(): void {
    this.#clearRetry();
    this.#detach()?.close();
    this.#become("connecting");
    let socket: WebSocket;
    try {
      socket = new (this.#options.WebSocket ?? WebSocket)(this.#options.url);
    } catch {
      // A refused address (CSP, mixed content) throws; treat it like any failed attempt.
      this.#onClose(1006);
      return;
    }
    this.#socket = socket;
    this.#unanswered = 0;
    this.#retry = setTimeout(() => this.#drop(), CONNECT_TIMEOUT);
    socket.onmessage = (event) => this.#onText(String(event.data));
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#onClose(event.code);
    };
  }

  #onText(text: string): void {
    this.#heartbeat.heard();
    const frame = parseJson(text) as unknown as ServerFrame;
    switch (frame.type) {
      case "hello":
        this.#clearRetry();
        this.#attempt = 0;
        this.#hadHello = true;
        this.#limits = { ...LIMITS, ...frame.limits };
        this.#become("open");
        this.#heartbeat.start();
        this.frames.emit(frame);
        for (const waiting of this.#outbox.texts()) this.#send(waiting);
        return;
      case "ack":
        this.#outbox.acknowledge(frame as AckFrame);
        break;
      case "error":
        this.#outbox.refuse(frame);
        break;
    }
    this.frames.emit(frame);
    this.#showThatItIsRead(text.length);
  }

  /**
   * The server keeps the rest of a long answer back until it hears from a page that was sent a whole
   * window. Not left to the heartbeat, which may be half a minute away and rests in a hidden page.
   */
  #showThatItIsRead(size: number): void {
    this.#unanswered += size;
    if (this.#unanswered >= this.#limits.window_bytes / 2) this.post("ping", {});
  }

  #onClose(code: number): void {
    const wasOpen = this.#state === "open";
    this.#detach();
    if (this.#state === "closed") return;
    if (code === NOT_SIGNED_IN) return this.#deny();
    if (code === TOO_BIG) this.#outbox.refuseBiggest();
    this.#become("waiting");
    // The browser hides why a handshake failed. After the second time, ask over HTTP.
    if (!wasOpen && this.#attempt % 4 === 1) void this.#askWhetherSignedIn();
    const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** this.#attempt++);
    const random = (this.#options.random ?? Math.random)();
    this.#retry = setTimeout(() => this.#open(), delay * (0.5 + random / 2));
  }

  async #askWhetherSignedIn(): Promise<void> {
    const signedIn = await this.#options.isSignedIn?.().catch(() => true);
    if (signedIn === false && this.#state !== "open") {
      this.#detach()?.close();
      this.#deny();
    }
  }

  #deny(): void {
    this.#clearRetry();
    this.#outbox.refuseAll(signedOut());
    this.#become("denied");
  }

  /** The socket is dead although the browser has not noticed. */
  #drop(): void {
    const socket = this.#detach();
    if (socket === null) return;
    socket.close();
    this.#onClose(1006);
  }

  #detach(): WebSocket | null {
    const socket = this.#socket;
    this.#socket = null;
    this.#heartbeat.stop();
    this.#clearRetry();
    if (socket !== null) socket.onmessage = socket.onclose = null;
    return socket;
  }

  #clearRetry(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
  }

  #become(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.changed.emit(state);
  }

  readonly #onWake = (): void => {
    if (this.#state === "waiting") this.retryNow();
  };

  readonly #onVisibility = (): void => {
    if (document.visibilityState !== "visible") return this.#heartbeat.pause();
    if (this.#state === "waiting") this.retryNow();
    else if (this.#state === "open") this.#heartbeat.resume();
  };
}

function signedOut(): AgentUIError {
  return new AgentUIError("not_signed_in", "You are signed out. Please sign in again.");
}

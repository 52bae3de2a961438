/** The REST API, for what is not live: paging, renaming, archiving, deleting. */
import { parseJson } from "../core/index.js";
import { AgentUIError } from "./errors.js";
import type { MessagePage, ThreadRow } from "./rows.js";

export type ThreadQuery = Partial<Record<"cursor" | "search" | "status", string>>;

export interface ThreadPage {
  threads: ThreadRow[];
  next: string | null;
}

export interface ApiOptions {
  /** Where `agentui.api.urls` is mounted, ending in a slash. */
  url: string;
  /** Django's CSRF token, for sites whose cookie a script cannot read. */
  csrf?: string | null;
}

export class Api {
  readonly #url: string;
  readonly #csrf: string | null;

  constructor({ url, csrf = null }: ApiOptions) {
    this.#url = url.endsWith("/") ? url : `${url}/`;
    this.#csrf = csrf;
  }

  /** One page of the person's threads, latest activity first; `next` is where the next begins. */
  threads(query: ThreadQuery = {}): Promise<ThreadPage> {
    const words = new URLSearchParams({ status: "regular", ...query });
    return this.#request("GET", `threads/?${words}`) as Promise<ThreadPage>;
  }

  messagesBefore(thread: string, seq: number, limit = 50): Promise<MessagePage> {
    const query = `before_seq=${seq}&limit=${limit}`;
    return this.#request("GET", `threads/${thread}/messages/?${query}`) as Promise<MessagePage>;
  }

  patchThread(thread: string, change: Partial<Pick<ThreadRow, "title" | "status">>): Promise<ThreadRow> {
    return this.#request("PATCH", `threads/${thread}/`, change) as Promise<ThreadRow>;
  }

  async deleteThread(thread: string): Promise<void> {
    await this.#request("DELETE", `threads/${thread}/`);
  }

  /** False when the server says that nobody is signed in. */
  async isSignedIn(): Promise<boolean> {
    const response = await fetch(this.#address("threads/?limit=1"), {
      headers: { Accept: "application/json" },
      redirect: "manual",
    });
    return ![401, 403].includes(response.status) && response.type !== "opaqueredirect";
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (method !== "GET") headers["X-CSRFToken"] = this.#csrf ?? cookie("csrftoken") ?? "";
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    let response: Response;
    try {
      response = await fetch(this.#address(path), init);
    } catch {
      throw new AgentUIError("network", "The server cannot be reached.");
    }
    const text = await response.text();
    if (response.ok) return text === "" ? null : parseJson(text);
    throw refusal(response.status, text);
  }

  #address(path: string): string {
    return new URL(path, new URL(this.#url, document.baseURI)).href;
  }
}

function refusal(status: number, text: string): AgentUIError {
  try {
    const body = JSON.parse(text) as { code?: string; message?: string; detail?: string };
    const message = body.message ?? body.detail;
    if (message) return new AgentUIError(body.code ?? `http_${status}`, message);
  } catch {
    // Not JSON: an error page of a proxy, say. Its text is not for the reader.
  }
  return new AgentUIError(`http_${status}`, `The server refused (${status}).`);
}

function cookie(name: string): string | null {
  const match = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie);
  return match?.[1] ?? null;
}

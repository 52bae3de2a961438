/** The REST API, for what is not live: paging, files, renaming, archiving, deleting. */
import { address, csrfToken, readAnswer, sendFile, unreachable } from "./request.js";
import type { ApprovalRow, AttachmentRow, MessagePage, ThreadRow, WaitingPage } from "./rows.js";

/** What a person says about an approval. */
export interface Verdict {
  verdict?: "approve" | "deny";
  option?: string;
  reason?: string;
  args_text?: string;
}

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

  /** What others ask and this person may decide, the most urgent first. */
  waiting(limit = 20): Promise<WaitingPage> {
    return this.#request("GET", `approvals/waiting/?limit=${limit}`) as Promise<WaitingPage>;
  }

  approval(id: string): Promise<ApprovalRow> {
    return this.#request("GET", `approvals/${id}/`) as Promise<ApprovalRow>;
  }

  /** Bound to the arguments that were shown. */
  decide(approval: ApprovalRow, verdict: Verdict): Promise<ApprovalRow> {
    const body = { digest: approval.args_digest, ...verdict };
    return this.#request("POST", `approvals/${approval.id}/decide/`, body) as Promise<ApprovalRow>;
  }

  deleteAttachment(id: string): Promise<unknown> {
    return this.#request("DELETE", `attachments/${id}/`);
  }

  upload(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<AttachmentRow> {
    const options = { file, csrf: csrfToken(this.#csrf), onProgress, signal };
    return sendFile(this.#address("attachments/"), options) as Promise<AttachmentRow>;
  }

  /** Where the person's own file is read. */
  attachmentAddress(id: string): string {
    return this.#address(`attachments/${encodeURIComponent(id)}/content/`);
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (method !== "GET") headers["X-CSRFToken"] = csrfToken(this.#csrf);
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    let response: Response;
    try {
      response = await fetch(this.#address(path), init);
    } catch {
      throw unreachable();
    }
    return readAnswer(response.status, await response.text());
  }

  #address(path: string): string {
    return address(this.#url, path);
  }
}

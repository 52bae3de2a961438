/**
 * `<agentui-thread-list>`: the person's threads. Fires `thread-select` (detail: the id, or "" for a
 * new one) and `thread-removed` (detail: the id).
 */
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ThreadRow } from "../client/rows.js";
import { ConnectedElement } from "./connected.js";
import { define } from "./define.js";
import { Follow } from "./follow.js";
import { icons } from "./icons.js";
import { base } from "./styles/base.js";
import { listStyles } from "./styles/list.js";
import { tokens } from "./styles/tokens.js";
import { t } from "./texts.js";
import "./thread-item.js";
import { age, type Age } from "./time.js";

export class AgentUIThreadList extends ConnectedElement {
  static override styles = [tokens, base, listStyles];
  static override properties: PropertyDeclarations = {
    selected: {},
    _search: { state: true },
    _archived: { state: true },
    _error: { state: true },
  };
  /** The id of the thread that is open. */
  declare selected: string;
  declare _search: string;
  declare _archived: boolean;
  declare _error: string;
  readonly #follow = new Follow(this);
  #searchTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.selected = this._search = this._error = "";
    this._archived = false;
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>(".new")?.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has("client") && this.client) this.#follow.follow(this.client.threads.changed);
    if (changed.has("selected") || changed.has("client")) this.client?.threads.opened(this.selected || null);
  }

  protected override render(): TemplateResult {
    return html`<nav aria-label=${t("chats")}>
      <div class="top">
        <button class="new" part="new-chat" @click=${() => this.#select("")}>${icons.newChat(18)}${t("newChat")}</button>
        <label class="search">
          ${icons.search(16)}<span class="hidden-text">${t("search")}</span>
          <input type="search" placeholder=${t("search")} .value=${this._search} @input=${this.#onSearch} />
        </label>
      </div>
      ${this._error ? html`<p class="error" role="alert">${this._error}</p>` : nothing}
      <div class="groups">${this.#groups()}</div>
    </nav>`;
  }

  #groups(): TemplateResult {
    const threads = this.client?.threads;
    const found = (threads?.list(this.#status) ?? []).filter((thread) => this.#matches(thread));
    const groups = new Map<Age, ThreadRow[]>();
    for (const thread of found) {
      const key = age(thread.last_activity_at);
      groups.set(key, [...(groups.get(key) ?? []), thread]);
    }
    return html`${found.length === 0 && threads?.isLoaded
      ? html`<p class="none">${this._search ? t("noMatch") : t("noChats")}</p>`
      : nothing}
    ${repeat(
      groups,
      ([key]) => key,
      ([key, items]) => html`<h3 id=${key}>${t(key)}</h3>
        <ul aria-labelledby=${key}>
          ${repeat(items, (thread) => thread.id, (thread) => this.#item(thread))}
        </ul>`,
    )}
    ${threads?.hasMore && this._search === "" ? html`<button class="more" @click=${() => this.#try(threads.loadMore())}>${t("loadMore")}</button>` : nothing}
    <button class="more" aria-pressed=${this._archived} @click=${this.#toggleArchive}>
      ${icons.archive(15)}${this._archived ? t("backToChats") : t("archived")}
    </button>`;
  }

  #item(thread: ThreadRow): TemplateResult {
    const threads = this.client?.threads;
    return html`<li>
      <agentui-thread-item
        .thread=${thread}
        ?selected=${thread.id === this.selected}
        ?unread=${threads?.isUnread(thread) ?? false}
        @item-select=${() => this.#select(thread.id)}
        @item-rename=${(event: CustomEvent<string>) => this.#try(threads?.rename(thread.id, event.detail))}
        @item-archive=${() => this.#try(this.#archive(thread))}
        @item-delete=${() => this.#try(threads?.delete(thread.id).then(() => this.#removed(thread.id)))}
      ></agentui-thread-item>
    </li>`;
  }

  async #archive(thread: ThreadRow): Promise<void> {
    await this.client?.threads.setStatus(thread.id, thread.status === "archived" ? "regular" : "archived");
    this.#removed(thread.id);
  }

  #matches(thread: ThreadRow): boolean {
    const words = this._search.trim().toLocaleLowerCase();
    return words === "" || (thread.title ?? "").toLocaleLowerCase().includes(words);
  }

  readonly #onSearch = (event: Event): void => {
    this._search = (event.target as HTMLInputElement).value;
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(() => this.#searchServer(), 300);
  };

  readonly #toggleArchive = (): void => {
    this._archived = !this._archived;
    this.#try(this.client?.threads.load(this.#status));
  };

  get #status(): ThreadRow["status"] {
    return this._archived ? "archived" : "regular";
  }

  /** Those loaded are filtered at once; the server knows the others. */
  #searchServer(): void {
    const words = this._search.trim();
    if (words !== "") this.#try(this.client?.threads.search(words, this.#status));
  }

  #select(id: string): void {
    this.dispatchEvent(new CustomEvent<string>("thread-select", { detail: id, bubbles: true, composed: true }));
  }

  #removed(id: string): void {
    this.dispatchEvent(new CustomEvent<string>("thread-removed", { detail: id, bubbles: true, composed: true }));
  }

  #try(work: Promise<unknown> | undefined): void {
    this._error = "";
    work?.catch((error: Error) => (this._error = error.message));
  }
}

define("agentui-thread-list", AgentUIThreadList);

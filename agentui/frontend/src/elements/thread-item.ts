/** `<agentui-thread-item>`: one thread in the list, with its marks and its menu. */
import { LitElement, html, nothing, type TemplateResult } from "lit";
import type { ThreadRow } from "../client/rows.js";
import { visible } from "../core/index.js";
import { define } from "./define.js";
import { icons } from "./icons.js";
import { base } from "./styles/base.js";
import { itemStyles } from "./styles/item.js";
import { t } from "./texts.js";

export class AgentUIThreadItem extends LitElement {
  static override styles = [base, itemStyles];
  static override properties = {
    thread: { attribute: false },
    selected: { type: Boolean, reflect: true },
    unread: { type: Boolean },
    _mode: { state: true },
  };
  declare thread: ThreadRow;
  declare selected: boolean;
  declare unread: boolean;
  declare _mode: "plain" | "menu" | "rename" | "delete";

  constructor() {
    super();
    this.selected = this.unread = false;
    this._mode = "plain";
  }

  protected override render(): TemplateResult {
    if (this._mode === "rename") return this.#renameForm();
    if (this._mode === "delete") return this.#question();
    const title = this.#title;
    return html`<div class="item" @keydown=${this.#onKeydown} @focusout=${this.#onFocusOut}>
      <button class="open" part="thread" aria-current=${this.selected ? "true" : nothing} @click=${() => this.#fire("select")}>
        <span class="title" dir="auto">${title}</span>${this.#mark()}
      </button>
      <button
        class="icon-button dots"
        aria-haspopup="menu"
        aria-expanded=${this._mode === "menu"}
        aria-label=${t("options", { title })}
        @click=${() => this.#set(this._mode === "menu" ? "plain" : "menu", "[role=menuitem]")}
      >
        ${icons.dots(16)}
      </button>
      ${this._mode === "menu" ? this.#menu() : nothing}
    </div>`;
  }

  get #title(): string {
    return visible(this.thread.title || t("untitled"));
  }

  #mark(): TemplateResult | typeof nothing {
    const { thread } = this;
    if (thread.active_run) return html`<span class="mark" role="img" aria-label=${t("runningMark")} title=${t("runningMark")}>${icons.spinner(14)}</span>`;
    if (thread.waiting) return html`<span class="mark dot wait" role="img" aria-label=${t("waitingMark")} title=${t("waitingMark")}></span>`;
    return this.unread ? html`<span class="mark dot" role="img" aria-label=${t("unreadMark")} title=${t("unreadMark")}></span>` : nothing;
  }

  #menu(): TemplateResult {
    const archived = this.thread.status === "archived";
    return html`<div class="menu" role="menu">
      <button role="menuitem" @click=${() => this.#set("rename", "input")}>${icons.edit(16)}${t("rename")}</button>
      <button role="menuitem" @click=${() => this.#done("archive")}>
        ${icons.archive(16)}${archived ? t("unarchive") : t("archive")}
      </button>
      <button role="menuitem" class="danger" @click=${() => this.#set("delete", ".danger")}>${icons.trash(16)}${t("delete")}</button>
    </div>`;
  }

  #renameForm(): TemplateResult {
    return html`<form class="rename" @submit=${this.#rename} @keydown=${this.#onKeydown}>
      <input class="field" name="title" maxlength="200" aria-label=${t("rename")} .value=${this.thread.title ?? ""} @blur=${() => this.#set("plain")} />
    </form>`;
  }

  #question(): TemplateResult {
    return html`<div class="question" role="alertdialog" aria-label=${t("delete")} @keydown=${this.#onKeydown}>
      <p dir="auto">${t("deleteQuestion", { title: this.#title })}</p>
      <button class="button danger" @click=${() => this.#done("delete")}>${t("delete")}</button>
      <button class="button" @click=${() => this.#set("plain", ".dots")}>${t("cancel")}</button>
    </div>`;
  }

  readonly #rename = (event: SubmitEvent): void => {
    event.preventDefault();
    const title = String(new FormData(event.target as HTMLFormElement).get("title") ?? "").trim();
    if (title !== "" && title !== this.thread.title) this.#fire("rename", title);
    this.#set("plain", ".open");
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && this._mode !== "plain") {
      event.stopPropagation();
      this.#set("plain", ".dots");
      return;
    }
    if (this._mode !== "menu" || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    event.preventDefault();
    const items = [...this.renderRoot.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = items.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    items.at((at + (event.key === "ArrowDown" ? 1 : -1)) % items.length)?.focus();
  };

  readonly #onFocusOut = (event: FocusEvent): void => {
    if (this._mode !== "menu") return;
    if (!(event.currentTarget as HTMLElement).contains(event.relatedTarget as Node | null)) this.#set("plain");
  };

  #done(action: string): void {
    this.#set("plain", ".open");
    this.#fire(action);
  }

  #set(mode: AgentUIThreadItem["_mode"], focus?: string): void {
    this._mode = mode;
    if (focus === undefined) return;
    void this.updateComplete.then(() => {
      const target = this.renderRoot.querySelector<HTMLElement>(focus);
      target?.focus();
      if (target instanceof HTMLInputElement) target.select();
    });
  }

  #fire(action: string, detail?: string): void {
    this.dispatchEvent(new CustomEvent(`item-${action}`, { detail }));
  }
}

define("agentui-thread-item", AgentUIThreadItem);

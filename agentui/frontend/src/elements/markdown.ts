/**
 * `<agentui-markdown>`: Markdown that may still be growing. Blocks that are closed are left alone;
 * only the open one is rendered again. Until the engine is loaded the text is shown as it is.
 */
import { LitElement, html, type PropertyValues, type TemplateResult } from "lit";
import { awaitEngine, markdownEngine, type MarkdownEngine } from "../markdown/engine.js";
import { decorate } from "./decorate.js";
import { define } from "./define.js";
import { mathRenderer } from "./math.js";
import { base } from "./styles/base.js";
import { markdownStyles } from "./styles/markdown.js";

/** Drawing an answer that grows takes at most one part in so many of the time. */
const SHARE = 5;

type Blocks = ReturnType<MarkdownEngine["blocks"]>;

export class AgentUIMarkdown extends LitElement {
  static override styles = [base, markdownStyles];
  static override properties = {
    text: { attribute: false },
    growing: { type: Boolean, reflect: true },
    images: { attribute: false },
  };
  declare text: string;
  declare growing: boolean;
  /** Paths of the site from which images are loaded. */
  declare images: readonly string[];
  #engine: MarkdownEngine | null = null;
  #blocks: Blocks | null = null;
  #shown = 0;
  #drawnAt = 0;
  #drawingTook = 0;

  constructor() {
    super();
    this.text = "";
    this.growing = false;
    this.images = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("agentui-math", this.#renderAnew);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("agentui-math", this.#renderAnew);
  }

  protected override render(): TemplateResult {
    return html`<div part="markdown"></div>`;
  }

  /** A block that has become long is drawn less often, so that the page stays free for its reader. */
  protected override async scheduleUpdate(): Promise<void> {
    const next = this.#drawnAt + SHARE * this.#drawingTook;
    const wait = this.growing && this.hasUpdated ? next - performance.now() : 0;
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    super.scheduleUpdate();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.#engine === null) {
      this.#engine = markdownEngine();
      if (this.#engine === null) return this.#showPlain();
      this.shadowRoot?.adoptedStyleSheets.push(this.#engine.sheet());
    }
    const isFirst = this.#blocks === null;
    this.#blocks ??= this.#engine.blocks({ math: mathRenderer() !== null });
    const continues = this.#blocks.update(this.text);
    const whole = this.growing || this.#blocks.finish();
    if (isFirst || !continues || !whole || changed.has("images")) this.#clear();
    const began = performance.now();
    this.#draw(this.#engine, this.#blocks);
    this.#drawnAt = performance.now();
    this.#drawingTook = this.#drawnAt - began;
  }

  #showPlain(): void {
    const block = this.#place(0);
    block.classList.add("plain");
    block.textContent = this.text;
    awaitEngine(() => this.requestUpdate());
  }

  #draw(engine: MarkdownEngine, { closed, open }: Blocks): void {
    for (; this.#shown < closed.length; this.#shown++) {
      this.#fill(engine, this.#place(this.#shown), closed[this.#shown] as string, true);
    }
    this.#fill(engine, this.#place(this.#shown), this.growing ? engine.heal(open) : open, !this.growing);
  }

  get #box(): HTMLElement {
    return this.renderRoot.querySelector("div") as HTMLElement;
  }

  #place(index: number): HTMLElement {
    const known = this.#box.children[index];
    if (known instanceof HTMLElement) return known;
    const block = document.createElement("div");
    block.className = "block";
    block.dir = "auto";
    this.#box.append(block);
    return block;
  }

  #fill(engine: MarkdownEngine, block: HTMLElement, source: string, isWhole: boolean): void {
    block.replaceChildren(decorate(engine.render(source, { images: this.images, math: mathRenderer() }), isWhole));
  }

  readonly #renderAnew = (): void => {
    this.#blocks = null;
    this.requestUpdate();
  };

  #clear(): void {
    this.#shown = 0;
    this.#box.replaceChildren();
  }
}

define("agentui-markdown", AgentUIMarkdown);

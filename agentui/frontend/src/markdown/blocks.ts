/**
 * Splits Markdown that grows into blocks. A block is closed once another one has begun behind it;
 * its source never changes again, so it is rendered once. Only the open block is read again.
 */
import { Marked } from "marked";
import { withMath } from "./math.js";

const plain = new Marked({ gfm: true });
const mathematical = withMath(new Marked({ gfm: true }), true);

/** Link definitions may stand anywhere below their use. */
const DEFINITION = /^ {0,3}\[[^\]\n]+\]:[ \t]*\S/m;

export class MarkdownBlocks {
  #text = "";
  #closed: string[] = [];
  #open = "";
  readonly #marked: Marked;

  constructor({ math = false } = {}) {
    this.#marked = math ? mathematical : plain;
  }

  /** Sources of the blocks that will not change. */
  get closed(): readonly string[] {
    return this.#closed;
  }

  /** Source of the block that is still written; empty at the beginning. */
  get open(): string {
    return this.#open;
  }

  /** Returns false when the text is not a continuation and everything has to be rendered again. */
  update(text: string): boolean {
    const clean = text.replace(/\r\n?/g, "\n");
    const continues = clean.startsWith(this.#text);
    if (!continues) this.#reset();
    this.#open += clean.slice(this.#text.length);
    this.#text = clean;
    this.#close();
    return continues;
  }

  /**
   * The text is whole. Returns false when the blocks have to be rendered again as one, because
   * links in one are defined in another.
   */
  finish(): boolean {
    if (this.#closed.length === 0 || !DEFINITION.test(this.#text)) return true;
    this.#closed = [];
    this.#open = this.#text;
    return false;
  }

  #reset(): void {
    this.#text = "";
    this.#closed = [];
    this.#open = "";
  }

  #close(): void {
    const tokens = this.#marked.lexer(this.#open);
    let at = tokens.length - 1;
    // Blank space behind a block does not close it: a list goes on after an empty line.
    while (at > 0 && tokens[at]?.type === "space") at--;
    if (at <= 0) return;
    const done = tokens.slice(0, at).map((token) => token.raw);
    const source = done.join("");
    if (!this.#open.startsWith(source)) return;
    this.#closed = [...this.#closed, ...done.filter((raw) => raw.trim() !== "")];
    this.#open = this.#open.slice(source.length);
  }
}

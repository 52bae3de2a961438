import { describe, expect, it } from "vitest";
import { MarkdownBlocks } from "../src/markdown/blocks.js";
import { heal } from "../src/markdown/heal.js";
import { safeImage, safeLink } from "../src/markdown/links.js";

// What the rendered nodes look like is tested in a real browser (tests/browser/test_markdown.py).

describe("addresses", () => {
  it.each(["https://example.com/a?b=1&c=2", "http://x/", "mailto:a@b.c", "tel:+331", "/orders/1", "#part", "page"])(
    "%s may be a link",
    (address) => expect(safeLink(address)).toBe(address),
  );

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "javascript&#58;alert(1)",
    "javascript&colon;alert(1)",
    "java&Tab;script:alert(1)",
    "&#x6A;avascript:alert(1)",
    "data:text/html;base64,PHNjcmlwdD4=",
    "vbscript:x",
    "blob:https://x/1",
    "file:///etc/passwd",
    "https://user:secret@example.com/",
    "https://",
  ])("%s may not", (address) => expect(safeLink(address)).toBeNull());

  it("images are loaded from allowed paths of this origin only", () => {
    expect(safeImage("/media/a.png", ["/media/"])).toBe("/media/a.png");
    expect(safeImage("/media/a.png", [])).toBeNull();
    expect(safeImage("/media/../logout/", ["/media/"])).toBeNull();
    expect(safeImage("/media/a.png?leak=1", ["/media/"])).toBeNull();
    expect(safeImage("https://attacker.example/media/a.png", ["/media/"])).toBeNull();
    expect(safeImage("//attacker.example/media/a.png", ["/media/"])).toBeNull();
  });
});

describe("blocks", () => {
  /** The blocks after each character. */
  function grown(text: string): MarkdownBlocks {
    const blocks = new MarkdownBlocks();
    for (let end = 1; end <= text.length; end++) blocks.update(text.slice(0, end));
    return blocks;
  }

  const TEXT = "# Title\n\nOne **two**.\n\n- a\n- b\n\n  still b\n\n```js\nlet x;\n\n\n// more\n```\n\n| a |\n|---|\n| 1 |\n\nEnd";

  it("that are closed never change, and together with the open one are the text", () => {
    const blocks = new MarkdownBlocks();
    let before: readonly string[] = [];
    for (let end = 1; end <= TEXT.length; end++) {
      blocks.update(TEXT.slice(0, end));
      expect(blocks.closed.slice(0, before.length)).toEqual(before);
      before = blocks.closed;
    }
    const whole = [...blocks.closed, blocks.open].join("").replace(/\s+/g, "");
    expect(whole).toBe(TEXT.replace(/\s+/g, ""));
    expect(blocks.closed).toHaveLength(5);
  });

  it("a list stays open over an empty line, a fence over several", () => {
    expect(grown("- a\n\n- b\n\n").closed).toHaveLength(0);
    expect(grown("```\na\n\n\nb").closed).toHaveLength(0);
  });

  it("a text that is another one begins anew", () => {
    const blocks = grown("a\n\nb");
    expect(blocks.update("x")).toBe(false);
    expect([blocks.closed, blocks.open]).toEqual([[], "x"]);
  });

  it("are read again as one when a link's address stands below it", () => {
    const blocks = grown("[a][r]\n\n[r]: https://example.com");
    expect(blocks.finish()).toBe(false);
    expect(blocks.open).toBe("[a][r]\n\n[r]: https://example.com");
    expect(grown("a\n\nb").finish()).toBe(true);
  });

  it("line ends of Windows cost nothing", () => {
    const blocks = grown("a\r\n\r\nb");
    expect(blocks.closed).toEqual(["a"]);
  });

  it("reading is linear: long answers do not slow down", () => {
    const blocks = new MarkdownBlocks();
    const paragraph = "Some words of an answer that is long.\n\n";
    let text = "";
    const start = performance.now();
    for (let i = 0; i < 2_000; i++) blocks.update((text += paragraph));
    expect(performance.now() - start).toBeLessThan(4_000);
    expect(blocks.closed.length).toBeGreaterThan(1_900);
  });
});

describe("a half-written end", () => {
  it.each([
    ["**bold", "**bold**"],
    ["a *word", "a *word*"],
    ["a ~~gone", "a ~~gone~~"],
    ["some `code", "some `code`"],
    ["done **bold** and", "done **bold** and"],
    ["`a*b` and", "`a*b` and"],
    ["* item", "* item"],
    ["2 * 3", "2 * 3"],
    ["a [link](https://exa", "a link"],
    ["a [lin", "a lin"],
    ["```js\nlet *x", "```js\nlet *x"],
    ["snake_case_name", "snake_case_name"],
    ["**bold ", "**bold**"],
    ["***both", "***both***"],
  ])("%s is read as %s", (source, expected) => {
    expect(heal(source)).toBe(expected);
  });
});

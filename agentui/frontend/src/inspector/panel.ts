/** `<agentui-inspector>`: the recordings as tabs of plain tables. */
import { define } from "../elements/define.js";
import type { Recording } from "./recording.js";
import { VIEWS, type ViewName } from "./views.js";
import { STYLES } from "./styles.js";

/** Drawn at most this often, in ms, however fast frames come. */
const PAUSE = 250;

export class Inspector extends HTMLElement {
  readonly #recordings: Recording[];
  readonly #body = document.createElement("div");
  #stops: (() => void)[] = [];
  #view: ViewName = "Events";
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(recordings: Recording[] = []) {
    super();
    this.#recordings = recordings;
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet()];
    const tabs = document.createElement("div");
    tabs.role = "tablist";
    for (const name of Object.keys(VIEWS) as ViewName[]) tabs.append(this.#tab(name, tabs));
    const close = button("Close", () => this.dispatchEvent(new CustomEvent("agentui-inspect", { bubbles: true })));
    const bar = document.createElement("header");
    bar.append(tabs, close);
    this.#body.role = "tabpanel";
    this.#body.tabIndex = 0;
    root.append(bar, this.#body);
    this.setAttribute("role", "complementary");
    this.setAttribute("aria-label", "agentui inspector");
  }

  connectedCallback(): void {
    this.#stops = this.#recordings.map((recording) => recording.changed.subscribe(() => this.#later()));
    this.#draw();
  }

  disconnectedCallback(): void {
    for (const stop of this.#stops) stop();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #tab(name: ViewName, tabs: HTMLElement): HTMLButtonElement {
    const tab = button(name, () => {
      this.#view = name;
      for (const other of tabs.children) other.ariaSelected = String(other === tab);
      this.#draw();
    });
    tab.role = "tab";
    tab.ariaSelected = String(name === this.#view);
    return tab;
  }

  #later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#draw();
    }, PAUSE);
  }

  #draw(): void {
    this.#body.replaceChildren(...this.#recordings.map((recording) => VIEWS[this.#view](recording)));
  }
}

function button(text: string, onClick: () => void): HTMLButtonElement {
  const node = document.createElement("button");
  node.type = "button";
  node.textContent = text;
  node.addEventListener("click", onClick);
  return node;
}

/** A constructed sheet: a strict CSP allows it. */
function sheet(): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(STYLES);
  return made;
}

define("agentui-inspector", Inspector);

/** What is added to rendered Markdown: a frame and a copy button on code, a scroll box on tables. */
import { highlightCode } from "./highlight.js";
import { t } from "./texts.js";

/** `isWhole`: nothing more comes, so its code may be coloured. */
export function decorate(fragment: DocumentFragment, isWhole: boolean): DocumentFragment {
  for (const pre of fragment.querySelectorAll("pre")) frameCode(pre, isWhole);
  for (const table of fragment.querySelectorAll("table")) {
    const box = element("div", "table");
    box.tabIndex = 0; // so that a wide table can be scrolled by keyboard
    table.replaceWith(box);
    box.append(table);
  }
  return fragment;
}

function frameCode(pre: HTMLElement, isWhole: boolean): void {
  const code = pre.querySelector("code");
  const language = /language-(\S+)/.exec(code?.className ?? "")?.[1] ?? "";
  const frame = element("div", "code");
  const header = document.createElement("header");
  const label = document.createElement("span");
  label.textContent = language;
  header.append(label, copyButton(() => pre.textContent ?? ""));
  pre.tabIndex = 0;
  pre.replaceWith(frame);
  frame.append(header, pre);
  if (isWhole && code instanceof HTMLElement) highlightCode(code, language);
}

function copyButton(text: () => string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = t("copy");
  button.addEventListener("click", () => {
    void copyText(text()).then((done) => {
      if (!done) return;
      button.textContent = t("copied");
      setTimeout(() => (button.textContent = t("copy")), 1500);
    });
  });
  return button;
}

/** False where the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function element(name: string, className: string): HTMLElement {
  const node = document.createElement(name);
  node.className = className;
  return node;
}

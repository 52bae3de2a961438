// What both pages share.
import { createElement } from "react";
import { createRoot } from "react-dom/client";

export const token = () => document.cookie.match(/csrftoken=([^;]*)/)?.[1];

/** The thread that the page shows: its own name for it, the same after a reload. */
export const threadId = location.hash.slice(1) || "react";

/** Where the person is: the page's own tool. */
export function place({ precise }) {
  document.body.dataset.ran = String(Number(document.body.dataset.ran ?? 0) + 1);
  return { city: "Oslo", precise };
}

export function show(Page) {
  createRoot(document.getElementById("page")).render(createElement(Page));
}

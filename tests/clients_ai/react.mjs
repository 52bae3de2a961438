// React hooks of the real packages, run in a page without a browser: happy-dom gives them a document.
import { Window } from "happy-dom";

const window = new Window({ url: "http://127.0.0.1/" });
for (const name of ["window", "document", "HTMLElement", "Element", "Node", "localStorage", "MutationObserver", "requestAnimationFrame", "cancelAnimationFrame", "getComputedStyle", "CustomEvent"])
  globalThis[name] ??= name === "window" ? window : window[name];

const { createElement } = await import("react");
const { createRoot } = await import("react-dom/client");

/** Renders a component whose body is `useIt()`; `.now` is what it returned last. */
export async function mount(useIt, Wrapper = null) {
  const seen = { now: undefined, unmount: () => root.unmount() };
  const Body = () => {
    seen.now = useIt();
    return null;
  };
  const root = createRoot(window.document.createElement("div"));
  root.render(Wrapper ? createElement(Wrapper, null, createElement(Body)) : createElement(Body));
  const end = Date.now() + 5000;
  while (seen.now === undefined) {
    if (Date.now() > end) throw new Error("the component did not render");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return seen;
}

/**
 * Bundles beside the first one, fetched when something on the page needs them. Each makes itself known
 * on the page, so a page may also load it by a tag of its own, before or after the first.
 */
export type BundleName = "markdown" | "highlight" | "approvals";

const asked = new Set<BundleName>();

export function announceBundle(name: BundleName, engine: object): void {
  (globalThis as Record<symbol, unknown>)[symbolOf(name)] ??= engine;
  globalThis.dispatchEvent(new Event(`agentui-${name}-ready`));
}

/** What the bundle offers, or null while it is not there. */
export function bundle<T>(name: BundleName): T | null {
  return ((globalThis as Record<symbol, unknown>)[symbolOf(name)] as T | undefined) ?? null;
}

/** Calls back once it is there, and sees to it that it comes. */
export function awaitBundle(name: BundleName, ready: () => void): void {
  globalThis.addEventListener(`agentui-${name}-ready`, ready, { once: true });
  if (asked.has(name)) return;
  asked.add(name);
  const address = addressOf(name);
  if (address.startsWith("http")) import(address).catch(reportError);
}

/** Where the page's tag says that it is, as with hashed names; else beside this file. */
function addressOf(name: BundleName): string {
  const tag = document.querySelector<HTMLElement>(`script[data-agentui-${name}]`);
  const given = tag?.getAttribute(`data-agentui-${name}`);
  if (given) return new URL(given, document.baseURI).href;
  const file = `agentui-${name}.js`;
  return new URL(file, import.meta.url).href;
}

function symbolOf(name: BundleName): symbol {
  return Symbol.for(`agentui.${name}`);
}

/** Names for commands and for this browser tab. */

/** A random UUID; also where `crypto.randomUUID` is missing because the page is not secure (http). */
export function uuid(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const KEY = "agentui:tab";

let current: Promise<string> | null = null;

/**
 * This tab's name: the same after a reload or a navigation, another one in every other tab.
 *
 * A duplicated tab starts with a copy of sessionStorage, so the name is also held as a Web Lock;
 * who finds it taken picks a new one.
 */
export function tabId(): Promise<string> {
  current ??= claimTabId();
  return current;
}

async function claimTabId(): Promise<string> {
  const stored = read();
  if (stored !== null && (await hold(stored))) return stored;
  const fresh = uuid();
  try {
    sessionStorage.setItem(KEY, fresh);
  } catch {
    // Storage can be switched off; the name then lasts as long as the page.
  }
  await hold(fresh);
  return fresh;
}

function read(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

async function hold(id: string): Promise<boolean> {
  // Not there on pages that are not secure (http), whatever the types say.
  const locks = (globalThis.navigator?.locks ?? null) as LockManager | null;
  if (locks === null) return true;
  // The page before a reload may need a moment to let go.
  for (const wait of [0, 150]) {
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (await request(locks, id)) return true;
  }
  return false;
}

function request(locks: LockManager, id: string): Promise<boolean> {
  return new Promise((resolve) => {
    locks
      .request(`agentui-tab-${id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        // Held as long as the page lives.
        return lock === null ? undefined : new Promise<void>(() => {});
      })
      .catch(() => resolve(true));
  });
}

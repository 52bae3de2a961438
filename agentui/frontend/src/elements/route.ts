/**
 * Which thread is open: in the page's address, or remembered for this tab. A route is an address
 * with `{thread}` in it, as `/agentui/t/{thread}/`; `home` is where a new thread begins.
 */
export interface Route {
  route: string | null;
  home: string | null;
  agent: string;
}

export function rememberedThread(where: Route): string {
  if (where.route) return threadIn(where.route, location.pathname);
  try {
    return sessionStorage.getItem(key(where)) ?? "";
  } catch {
    return "";
  }
}

export function rememberThread(where: Route, thread: string, { push }: { push: boolean }): void {
  if (where.route) return showInAddress(where.route, where.home, thread, push);
  try {
    if (thread) sessionStorage.setItem(key(where), thread);
    else sessionStorage.removeItem(key(where));
  } catch {
    // The next page then begins with a new thread.
  }
}

function threadIn(route: string, path: string): string {
  const [before = "", after = ""] = route.split("{thread}");
  const isMatch = path.startsWith(before) && path.endsWith(after) && path.length > before.length + after.length;
  return isMatch ? path.slice(before.length, path.length - after.length) : "";
}

function showInAddress(route: string, home: string | null, thread: string, push: boolean): void {
  const target = thread ? route.replace("{thread}", thread) : (home ?? route.split("{thread}")[0] ?? "");
  const address = new URL(target, location.href).href;
  if (address === location.href) return;
  if (push) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

function key({ agent }: Route): string {
  return `agentui:thread:${agent}`;
}

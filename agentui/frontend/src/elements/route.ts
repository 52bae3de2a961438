/** Which thread was open: in the page's address, or remembered for this tab. */

export function rememberedThread(route: string | null, agent: string): string {
  if (route === "query") return new URLSearchParams(location.search).get("thread") ?? "";
  try {
    return sessionStorage.getItem(key(agent)) ?? "";
  } catch {
    return "";
  }
}

export function rememberThread(
  route: string | null,
  agent: string,
  thread: string,
  { push }: { push: boolean },
): void {
  if (route !== "query") {
    try {
      if (thread) sessionStorage.setItem(key(agent), thread);
      else sessionStorage.removeItem(key(agent));
    } catch {
      // The next page then begins with a new thread.
    }
    return;
  }
  const url = new URL(location.href);
  if (thread) url.searchParams.set("thread", thread);
  else url.searchParams.delete("thread");
  if (url.href === location.href) return;
  if (push) history.pushState(null, "", url);
  else history.replaceState(null, "", url);
}

function key(agent: string): string {
  return `agentui:thread:${agent}`;
}

/** Leaves what the first bundle has on the page, for the bundles that are made of it. */
import * as kit from "./kit.js";

export function shareKit(): void {
  (globalThis as Record<symbol, unknown>)[Symbol.for("agentui.kit")] ??= kit;
}

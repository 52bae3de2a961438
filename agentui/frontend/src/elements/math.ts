/** Who draws formulas on this page. */
import type { MathRenderer } from "../markdown/math.js";

let renderer: MathRenderer | null = null;

export function mathRenderer(): MathRenderer | null {
  return renderer;
}

/**
 * Let formulas in answers be drawn by the page: `draw(tex, {display})` returns a node. It is put
 * into the answer as it is, so it must not run what the source says. Null takes it away.
 */
export function setMathRenderer(draw: MathRenderer | null): void {
  renderer = draw;
  dispatchEvent(new Event("agentui-math"));
}

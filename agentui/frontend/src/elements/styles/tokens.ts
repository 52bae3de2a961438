/**
 * The look, as custom properties. A page sets `--agentui-...` on the element or above it; what is
 * not set has the value here. `light-dark()` follows `color-scheme`, which `theme` sets.
 */
import { css } from "lit";

export const tokens = css`
  :host {
    --_bg: var(--agentui-bg, light-dark(#fdfdfc, #191918));
    --_side: var(--agentui-side, light-dark(#f5f5f2, #131312));
    --_surface: var(--agentui-surface, light-dark(#ffffff, #222220));
    --_soft: var(--agentui-soft, light-dark(#f1f0ec, #2a2a27));
    --_hover: var(--agentui-hover, light-dark(#eae9e4, #32322e));
    --_text: var(--agentui-text, light-dark(#1f1e1b, #ecebe6));
    --_muted: var(--agentui-muted, light-dark(#6a6860, #a3a198));
    --_line: var(--agentui-line, light-dark(#e3e1da, #383733));
    --_accent: var(--agentui-accent, light-dark(#0f6e66, #58c9b9));
    --_on-accent: var(--agentui-on-accent, light-dark(#ffffff, #08211e));
    --_accent-soft: var(--agentui-accent-soft, light-dark(#e3f1ee, #1d3531));
    --_wait: var(--agentui-wait, light-dark(#96590a, #e9b45c));
    --_wait-soft: var(--agentui-wait-soft, light-dark(#fdf4e3, #352a17));
    --_bad: var(--agentui-bad, light-dark(#b3261e, #f2918a));
    --_bad-soft: var(--agentui-bad-soft, light-dark(#fcecea, #3a1f1d));
    --_font: var(
      --agentui-font,
      ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif
    );
    --_mono: var(--agentui-mono, ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, monospace);
    --_size: var(--agentui-size, 0.9688rem);
    --_radius: var(--agentui-radius, 0.875rem);
    --_column: var(--agentui-column, 46rem);
    --_shadow: var(
      --agentui-shadow,
      0 1px 2px light-dark(rgb(40 36 24 / 5%), rgb(0 0 0 / 30%)),
      0 6px 24px light-dark(rgb(40 36 24 / 6%), rgb(0 0 0 / 25%))
    );
  }
`;

import { css } from "lit";

export const panelStyles = css`
  :host {
    --_gap: var(--agentui-panel-gap, 1.25rem);
    position: fixed;
    z-index: var(--agentui-panel-layer, 1000);
    inset-block-end: var(--_gap);
    inset-inline-end: var(--_gap);
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  [hidden] {
    display: none !important;
  }
  .opener {
    display: grid;
    place-items: center;
    inline-size: 3.5rem;
    block-size: 3.5rem;
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
    box-shadow: var(--_shadow);
  }
  .panel {
    position: fixed;
    inset-block-end: var(--_gap);
    inset-inline-end: var(--_gap);
    inline-size: min(var(--agentui-panel-width, 26rem), calc(100vw - 2 * var(--_gap)));
    block-size: min(var(--agentui-panel-height, 40rem), calc(100dvh - 2 * var(--_gap)));
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    overflow: hidden;
    background: var(--_bg);
    box-shadow: var(--_shadow);
  }
  :host([mode="side"]) .panel {
    inset-block: 0;
    inset-inline-end: 0;
    inline-size: min(var(--agentui-panel-width, 28rem), 100vw);
    block-size: 100dvh;
    border-width: 0;
    border-inline-start-width: 1px;
    border-radius: 0;
  }
  agentui-chat {
    --agentui-height: 100%;
  }
  .close {
    display: inline-grid;
    place-items: center;
    inline-size: 2.5rem;
    block-size: 2.5rem;
    border-radius: 0.5rem;
    color: var(--_muted);
    order: 2;
  }
  .close:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  @media (max-width: 36rem) {
    .panel,
    :host([mode="side"]) .panel {
      inset: 0;
      inline-size: 100vw;
      block-size: 100dvh;
      border: 0;
      border-radius: 0;
    }
  }
`;

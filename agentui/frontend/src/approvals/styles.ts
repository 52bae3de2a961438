import { css } from "../kit.js";

export const inboxStyles = css`
  :host {
    display: block;
    min-block-size: 0;
    background: var(--_side);
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  section {
    display: flex;
    flex-direction: column;
    block-size: 100%;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-block-size: 3.25rem;
    padding-inline: 1rem 0.6rem;
  }
  h2 {
    margin: 0;
    font-size: 0.9375rem;
    font-weight: 650;
    outline: 0;
  }
  .count {
    min-inline-size: 1.35rem;
    padding: 0.05rem 0.4rem;
    border-radius: 999px;
    background: var(--_wait-soft);
    color: var(--_wait);
    font-size: 0.75rem;
    font-weight: 650;
    line-height: 1.5;
    text-align: center;
  }
  .all {
    margin-inline-start: auto;
    padding: 0.3rem 0.4rem;
    border-radius: 0.4rem;
    color: var(--_muted);
    font-size: 0.8125rem;
    text-decoration: none;
  }
  .all:hover {
    color: var(--_text);
    text-decoration: underline;
  }
  .icon-button:last-child:not(.all + *) {
    margin-inline-start: auto;
  }
  .cards {
    flex: 1;
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
    align-content: start;
    align-items: start;
    gap: 0.75rem;
    min-block-size: 0;
    overflow-y: auto;
    padding: 0.25rem 0.75rem 1rem;
    scrollbar-width: thin;
    scrollbar-color: var(--_line) transparent;
  }
  .entry {
    min-inline-size: 0;
  }
  .line {
    display: flex;
    align-items: center;
    gap: 0.55rem;
    margin: 0;
    padding: 0.45rem 0.75rem;
    border-radius: 0.65rem;
    background: var(--_soft);
    color: var(--_muted);
    font-size: 0.8438rem;
    line-height: 1.4;
    animation: settle 200ms ease;
  }
  .line span {
    flex: 1;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .line.approved > svg {
    color: var(--_accent);
  }
  .line.denied > svg {
    color: var(--_bad);
  }
  .line a {
    display: grid;
    place-items: center;
    min-inline-size: 1.5rem;
    min-block-size: 1.5rem;
    border-radius: 0.4rem;
    color: inherit;
  }
  .line a:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  :host(:dir(rtl)) .line a svg {
    scale: -1 1;
  }
  .empty,
  .more {
    grid-column: 1 / -1;
  }
  .empty {
    display: grid;
    justify-items: center;
    gap: 0.6rem;
    margin: 0;
    padding: 2.5rem 1rem;
    color: var(--_muted);
    font-size: 0.9063rem;
    text-align: center;
  }
  .empty svg {
    color: var(--_accent);
  }
  .line + .empty {
    padding-block-start: 1.5rem;
  }
  .more,
  .failed {
    margin: 0;
    font-size: 0.8438rem;
    color: var(--_muted);
    text-align: center;
  }
  .failed {
    margin: 0 0.75rem 0.5rem;
    padding: 0.45rem 0.75rem;
    border-radius: 0.65rem;
    background: var(--_bad-soft);
    color: var(--_bad);
  }
  @keyframes settle {
    from {
      opacity: 0;
    }
  }
`;

export const cardStyles = css`
  .card {
    box-shadow: none;
  }
  header {
    padding: 0.65rem 0.85rem;
  }
  .badge {
    inline-size: 2rem;
    block-size: 2rem;
  }
  .does,
  .asked {
    margin: 0.75rem 0.85rem 0;
    font-size: 0.8438rem;
    line-height: 1.45;
    color: var(--_muted);
    overflow-wrap: anywhere;
  }
  .asked {
    max-block-size: 7.5rem;
    overflow: auto;
    padding-inline-start: 0.7rem;
    border-inline-start: 2px solid var(--_line);
    color: var(--_text);
    white-space: pre-wrap;
  }
  .args {
    padding-inline: 0.85rem;
    font-size: 0.875rem;
  }
  .terms {
    padding: 0.7rem 0.85rem 0.75rem;
    font-size: 0.8125rem;
  }
  /* Here every decision is the reader's. */
  .who {
    display: none;
  }
  .card > .actions,
  .denial {
    padding: 0 0.85rem 0.75rem;
  }
  .hint {
    margin: 0;
    padding: 0 0.85rem 0.5rem;
    color: var(--_muted);
    font-size: 0.8438rem;
  }
  .page {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    margin: 0 0.85rem 0.75rem;
    border-radius: 0.3rem;
    color: var(--_muted);
    font-size: 0.8125rem;
    text-decoration: none;
  }
  .page:hover {
    color: var(--_text);
    text-decoration: underline;
  }
  :host(:dir(rtl)) .page svg {
    scale: -1 1;
  }
`;

/** The panel as a chat has it: a third column, and over the thread where there is no room for one. */
export const besideStyles = css`
  .layout {
    grid-auto-columns: 24rem;
    grid-auto-flow: column;
  }
  #inbox {
    border-inline-start: 1px solid var(--_line);
  }
  .inbox-button {
    position: relative;
  }
  .inbox-button[aria-expanded="true"] {
    background: var(--_hover);
    color: var(--_text);
  }
  .inbox-button span {
    position: absolute;
    inset-block-start: -0.1rem;
    inset-inline-end: -0.2rem;
    min-inline-size: 1.05rem;
    padding-inline: 0.25rem;
    border-radius: 999px;
    background: var(--_wait);
    color: var(--_bg);
    font-size: 0.6563rem;
    font-weight: 700;
    line-height: 1.05rem;
  }
  .inbox-backdrop {
    display: none;
  }
  @container (max-width: 64rem) {
    #inbox {
      position: absolute;
      inset-block: 0;
      inset-inline-end: 0;
      z-index: 10;
      inline-size: min(24rem, 100%);
      box-shadow: var(--_shadow);
    }
    .inbox-backdrop:not([hidden]) {
      display: block;
      position: absolute;
      inset: 0;
      z-index: 9;
      background: rgb(0 0 0 / 35%);
      animation: fade 160ms;
    }
  }
  @container (max-width: 30rem) {
    #inbox {
      inline-size: 100%;
      border: 0;
    }
  }
`;

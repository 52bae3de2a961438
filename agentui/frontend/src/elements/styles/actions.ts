import { css } from "lit";

export const actionStyles = css`
  :host {
    display: block;
  }
  .row {
    display: flex;
    align-items: center;
    min-block-size: 2rem;
  }
  .versions {
    display: inline-flex;
    align-items: center;
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
    color: var(--_muted);
  }
  .versions .icon-button {
    inline-size: 1.6rem;
  }
  .back svg {
    rotate: 180deg;
  }
  :host(:dir(rtl)) .versions svg {
    rotate: 180deg;
  }
  :host(:dir(rtl)) .versions .back svg {
    rotate: 0deg;
  }
  .given {
    color: var(--_accent);
  }
  .given svg path {
    fill: color-mix(in oklab, currentcolor, transparent 75%);
  }
  .facts {
    margin: 0.1rem 0 0.25rem;
    padding-inline-start: 0.45rem;
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
  }
  .feedback {
    display: grid;
    gap: 0.5rem;
    max-inline-size: 30rem;
    margin-block: 0.25rem 0.5rem;
    padding: 0.75rem;
    border-radius: 1.1rem;
    background: var(--_soft);
    font-size: 0.875rem;
  }
  .feedback div {
    display: flex;
    justify-content: flex-end;
    gap: 0.5rem;
  }
  .editor {
    display: grid;
    gap: 0.5rem;
    padding: 0.75rem;
    border-radius: 1.1rem;
    background: var(--_soft);
  }
  .editor textarea {
    field-sizing: content;
    min-block-size: 4.5rem;
    max-block-size: 50dvh;
    resize: none;
  }
  .editor div {
    display: flex;
    justify-content: flex-end;
    gap: 0.5rem;
  }
`;

/** What every element shares: box sizing, buttons, icons, focus, words for screen readers only. */
import { css } from "lit";

export const base = css`
  :host {
    box-sizing: border-box;
    color: var(--_text);
    font: 400 var(--_size) / 1.6 var(--_font);
    -webkit-text-size-adjust: 100%;
  }
  :host([hidden]) {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: inherit;
  }
  button,
  input,
  textarea,
  select {
    font: inherit;
    color: inherit;
  }
  button {
    border: 0;
    background: none;
    padding: 0;
    cursor: pointer;
  }
  button:disabled {
    cursor: default;
    opacity: 0.45;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  svg {
    display: block;
    flex: none;
  }
  .icon-button {
    display: inline-grid;
    place-items: center;
    inline-size: 2rem;
    block-size: 2rem;
    border-radius: 0.5rem;
    color: var(--_muted);
    transition: background-color 120ms, color 120ms;
  }
  .icon-button:hover:not(:disabled) {
    background: var(--_hover);
    color: var(--_text);
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4rem;
    min-block-size: 2.125rem;
    padding: 0.25rem 0.9rem;
    border-radius: 999px;
    border: 1px solid var(--_line);
    background: var(--_surface);
    font-size: 0.875rem;
    font-weight: 550;
    transition: background-color 120ms, border-color 120ms;
  }
  .button:hover:not(:disabled) {
    background: var(--_hover);
  }
  .button.primary {
    background: var(--_accent);
    border-color: transparent;
    color: var(--_on-accent);
  }
  .button.primary:hover:not(:disabled) {
    background: color-mix(in oklab, var(--_accent), var(--_text) 14%);
  }
  .button.danger {
    color: var(--_bad);
  }
  .field {
    inline-size: 100%;
    padding: 0.45rem 0.7rem;
    border: 1px solid var(--_line);
    border-radius: 0.6rem;
    background: var(--_bg);
  }
  .field:focus-visible {
    outline-offset: 0;
    border-color: transparent;
  }
  .field::placeholder {
    color: var(--_muted);
  }
  .hidden-text {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .spin {
    animation: spin 0.9s linear infinite;
  }
  @keyframes spin {
    to {
      transform: rotate(1turn);
    }
  }
  @media (pointer: coarse) {
    .icon-button {
      inline-size: 2.5rem;
      block-size: 2.5rem;
    }
    .button {
      min-block-size: 2.625rem;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation-duration: 1ms !important;
      animation-iteration-count: 1 !important;
      transition-duration: 1ms !important;
      scroll-behavior: auto !important;
    }
  }
`;

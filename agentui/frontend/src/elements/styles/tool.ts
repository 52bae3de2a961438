import { css } from "lit";

export const toolStyles = css`
  .nested {
    display: grid;
    gap: 0.6rem;
    margin: 0.5rem 0 0;
    padding-block: 0.1rem;
    padding-inline-start: 1rem;
    border-inline-start: 2px solid var(--_line);
    list-style: none;
    font-size: 0.9063rem;
  }
  .nested-call {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.2rem 0.4rem;
    margin: 0;
    color: var(--_muted);
    font-size: 0.8438rem;
    overflow-wrap: anywhere;
  }
  .partial {
    flex-basis: 100%;
    min-inline-size: 0;
  }
  :host {
    display: block;
  }
  .card {
    --_tone: var(--_muted);
    border: 1px solid var(--_line);
    border-radius: 0.75rem;
    background: var(--_surface);
    font-size: 0.9063rem;
    line-height: 1.45;
    overflow: hidden;
  }
  .busy, .good {
    --_tone: var(--_accent);
  }
  .wait {
    --_tone: var(--_wait);
  }
  .bad {
    --_tone: var(--_bad);
  }
  .card > summary {
    display: flex;
    align-items: center;
    gap: 0.55rem;
    padding: 0.5rem 0.75rem;
    cursor: pointer;
    list-style: none;
    transition: background-color 120ms;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  .card > summary:hover {
    background: var(--_soft);
  }
  summary:focus-visible {
    outline-offset: -2px;
    border-radius: 0.7rem;
  }
  .sign {
    color: var(--_tone);
  }
  .title {
    font-weight: 550;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .busy .title {
    background: linear-gradient(90deg, var(--_text) 35%, var(--_muted) 50%, var(--_text) 65%) 0 / 300% 100%;
    background-clip: text;
    color: transparent;
    animation: shimmer 2.2s linear infinite;
  }
  @keyframes shimmer {
    from {
      background-position: 100% 0;
    }
    to {
      background-position: -50% 0;
    }
  }
  .summary {
    flex: 1;
    min-inline-size: 0;
    color: var(--_muted);
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .state {
    color: var(--_muted);
    font-size: 0.8125rem;
    white-space: nowrap;
  }
  .bad .state, .wait .state {
    color: var(--_tone);
  }
  .chevron {
    color: var(--_muted);
    transition: rotate 150ms;
  }
  :host(:dir(rtl)) .chevron {
    rotate: 180deg;
  }
  details[open] > summary .chevron {
    rotate: 90deg;
  }
  .body {
    display: grid;
    gap: 0.85rem;
    padding: 0.75rem 0.9rem 0.9rem;
    border-block-start: 1px solid var(--_line);
  }
  h4 {
    margin: 0 0 0.3rem;
    font-size: 0.75rem;
    font-weight: 600;
    letter-spacing: 0.02em;
    color: var(--_muted);
  }
  .result.bad .text {
    color: var(--_bad);
  }
  .raw > summary {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    color: var(--_muted);
    font-size: 0.8125rem;
    cursor: pointer;
    list-style: none;
  }
  .raw h4 {
    margin-block-start: 0.6rem;
  }
  .progress {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.45rem 0.75rem;
    margin-block-start: 0.45rem;
    padding-inline: 0.8rem;
    font-size: 0.8125rem;
    color: var(--_muted);
  }
  progress {
    appearance: none;
    flex: 1 1 6rem;
    max-inline-size: 14rem;
    block-size: 0.3125rem;
    border: 0;
    border-radius: 999px;
    overflow: hidden;
    background: var(--_hover);
  }
  progress::-webkit-progress-bar {
    background: var(--_hover);
  }
  progress::-webkit-progress-value {
    background: var(--_accent);
    transition: inline-size 200ms;
  }
  progress::-moz-progress-bar {
    background: var(--_accent);
  }
  .note {
    margin: 0.4rem 0 0;
    padding-inline: 0.8rem;
    font-size: 0.8438rem;
    color: var(--_muted);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
`;

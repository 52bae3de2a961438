import { css } from "lit";

export const threadStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    position: relative;
    min-block-size: 0;
    block-size: 100%;
    background: var(--_bg);
    container-type: inline-size;
  }
  .scroller {
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    overflow-anchor: none; /* stick.ts does it, in every browser alike */
    scrollbar-width: thin;
    scrollbar-color: var(--_line) transparent;
  }
  .column {
    display: flex;
    flex-direction: column;
    min-block-size: 100%;
    max-inline-size: var(--_column);
    margin-inline: auto;
    padding: 1.5rem 1.25rem 0.5rem;
  }
  /* Where there is room, a new thread begins in the middle. */
  @container (min-width: 40rem) {
    :host([data-empty]) .scroller {
      flex: 0 1 auto;
      margin-block-start: auto;
    }
    :host([data-empty]) .foot {
      margin-block-end: auto;
      padding-block-end: max(12%, 1rem);
    }
    :host([data-empty]) .foot::before {
      display: none;
    }
    :host([data-empty]) .column {
      padding-block: 1rem 0;
    }
    :host([data-empty]) .empty {
      padding-block: 1rem 1.75rem;
    }
    :host([data-empty]) .empty ul {
      max-inline-size: none;
    }
  }
  .messages {
    display: flex;
    flex-direction: column;
  }
  .older {
    align-self: center;
    margin-block-end: 1.25rem;
  }
  .foot {
    position: relative;
    inline-size: 100%;
    max-inline-size: var(--_column);
    margin-inline: auto;
    padding: 0 1.25rem max(1rem, env(safe-area-inset-bottom));
  }
  .foot::before {
    content: "";
    position: absolute;
    inset-inline: 0;
    inset-block-end: 100%;
    block-size: 1.75rem;
    background: linear-gradient(transparent, var(--_bg));
    pointer-events: none;
  }
  .jump {
    position: absolute;
    inset-block-end: calc(100% + 0.75rem);
    inset-inline-start: calc(50% - 1.125rem);
    z-index: 1;
    display: grid;
    place-items: center;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border: 1px solid var(--_line);
    border-radius: 50%;
    background: var(--_surface);
    box-shadow: var(--_shadow);
    color: var(--_muted);
  }
  .jump[hidden] {
    display: none;
  }
  .jump:hover {
    color: var(--_text);
  }
  .error {
    margin: 0 0 0.5rem;
    padding-inline: 1rem;
    color: var(--_bad);
    font-size: 0.875rem;
  }
  .empty {
    margin-block: auto;
    padding-block: 2rem;
    text-align: center;
    color: var(--_muted);
  }
  .empty svg {
    margin: 0 auto 0.5rem;
  }
  .empty h2 {
    margin: 0 0 1.75rem;
    font-size: 1.65rem;
    font-weight: 600;
    letter-spacing: -0.015em;
    line-height: 1.25;
    color: var(--_text);
    text-wrap: balance;
  }
  .empty ul {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr));
    gap: 0.6rem;
    margin: 0 auto;
    padding: 0;
    max-inline-size: 36rem;
    list-style: none;
  }
  .suggestion {
    inline-size: 100%;
    block-size: 100%;
    padding: 0.75rem 1rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    font-size: 0.9063rem;
    line-height: 1.4;
    text-align: start;
    transition: border-color 120ms, background-color 120ms;
  }
  .suggestion:hover {
    border-color: color-mix(in oklab, var(--_accent), var(--_line) 50%);
    background: var(--_accent-soft);
  }
  .next {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin: 0 0 1.25rem;
    padding: 0;
    list-style: none;
  }
  .next .suggestion {
    padding: 0.4rem 0.9rem;
    border-radius: 999px;
    font-size: 0.875rem;
  }
  .drop {
    position: absolute;
    inset: 0.5rem;
    z-index: 3;
    display: grid;
    place-items: center;
    border: 2px dashed var(--_accent);
    border-radius: 1.25rem;
    background: color-mix(in oklab, var(--_bg), transparent 12%);
    pointer-events: none;
  }
  .drop span {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    font-weight: 550;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    max-inline-size: 16rem;
    padding: 0.2rem 0.7rem;
    border: 1px solid var(--_line);
    border-radius: 999px;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .pending .files {
    justify-content: flex-end;
  }
  .pending {
    display: flex;
    flex-direction: column;
    align-items: flex-end;
    gap: 0.35rem;
    padding-block-end: 2rem;
  }
  .bubble {
    max-inline-size: min(85%, 36rem);
    padding: 0.6rem 1rem;
    border-radius: 1.25rem;
    border-end-end-radius: 0.4rem;
    background: var(--_soft);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .pending:not(.refused) .bubble {
    opacity: 0.75;
  }
  .refused .bubble {
    box-shadow: inset 0 0 0 1px var(--_bad);
  }
  .refusal {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    align-items: center;
    gap: 0.2rem 0.5rem;
    color: var(--_bad);
    font-size: 0.8438rem;
  }
  .refusal button {
    text-decoration: underline;
    text-underline-offset: 0.2em;
    color: var(--_text);
  }
  .skeleton {
    display: grid;
    gap: 0.75rem;
  }
  .skeleton i {
    block-size: 1rem;
    border-radius: 0.5rem;
    background: var(--_soft);
    animation: breathe 1.4s ease-in-out infinite alternate;
  }
  .skeleton i:nth-child(1) {
    inline-size: 40%;
    justify-self: end;
    block-size: 2.5rem;
    border-radius: 1.25rem;
    margin-block-end: 0.75rem;
  }
  .skeleton i:nth-child(3) {
    inline-size: 92%;
  }
  .skeleton i:nth-child(4) {
    inline-size: 60%;
  }
  @keyframes breathe {
    to {
      opacity: 0.45;
    }
  }
  @container (max-width: 40rem) {
    .column {
      padding: 1rem 0.9rem 0.25rem;
    }
    .foot {
      padding-inline: 0.65rem;
      padding-block-end: max(0.65rem, env(safe-area-inset-bottom));
    }
    .empty h2 {
      font-size: 1.4rem;
    }
  }
`;

import { css } from "lit";

export const messageStyles = css`
  :host {
    display: block;
    padding-block-end: 2rem;
    /* What is not laid out is clipped: the shadows of cards need room at the sides. */
    padding-inline: 0.75rem;
    margin-inline: -0.75rem;
    /* Far-away messages cost no layout. */
    content-visibility: auto;
    contain-intrinsic-size: auto 6rem;
  }
  :host([last]) {
    content-visibility: visible;
  }
  .user {
    display: flex;
    flex-direction: column;
    align-items: flex-end;
    justify-content: flex-end;
    gap: 0.25rem;
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
  .assistant {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.8rem;
  }
  agentui-message-actions {
    opacity: 0;
    transition: opacity 120ms;
  }
  /* The row lies in the space below the message, so that hiding it leaves no hole. */
  .user agentui-message-actions {
    margin-inline-end: -0.35rem;
    margin-block-end: -2rem;
  }
  .assistant agentui-message-actions {
    margin-inline-start: -0.45rem;
    margin-block: -0.6rem -1.75rem;
  }
  agentui-tool-card + agentui-tool-card {
    margin-block-start: -0.35rem;
  }
  :host(:hover) agentui-message-actions,
  :host(:focus-within) agentui-message-actions,
  :host([last][data-role="assistant"]) agentui-message-actions {
    opacity: 1;
  }
  @media (hover: none) {
    agentui-message-actions {
      opacity: 0.65;
    }
  }
  .event {
    display: flex;
    align-items: flex-start;
    justify-content: center;
    gap: 0.45rem;
    margin: 0;
    font-size: 0.8438rem;
    color: var(--_muted);
    text-align: center;
  }
  .event svg {
    margin-block-start: 0.25rem;
    color: var(--_wait);
  }
  .ending {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    margin: 0;
    font-size: 0.8125rem;
    color: var(--_muted);
  }
  .thought summary {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    cursor: pointer;
    list-style: none;
    color: var(--_muted);
    font-size: 0.9063rem;
  }
  .thought summary:hover {
    color: var(--_text);
  }
  .chevron {
    transition: rotate 150ms;
  }
  .thought[open] .chevron {
    rotate: 90deg;
  }
  .thought div {
    margin-block-start: 0.4rem;
    padding-inline-start: 0.9rem;
    border-inline-start: 2px solid var(--_line);
    color: var(--_muted);
    font-size: 0.9063rem;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 0.35rem;
    max-inline-size: 16rem;
    padding: 0.15rem 0.65rem;
    border: 1px solid var(--_line);
    border-radius: 999px;
    color: var(--_muted);
    font-size: 0.8125rem;
    text-decoration: none;
  }
  a.chip:hover {
    background: var(--_soft);
    color: var(--_text);
  }
  .chip span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .failure {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem 0.75rem;
    padding: 0.65rem 0.9rem;
    border-radius: 0.75rem;
    background: var(--_bad-soft);
    color: var(--_bad);
    font-size: 0.9063rem;
    line-height: 1.45;
  }
  .failure.soft {
    background: var(--_soft);
    color: var(--_muted);
  }
  .failure > div {
    flex: 1;
    min-inline-size: 10rem;
  }
  .failure p {
    margin: 0;
    color: var(--_text);
    overflow-wrap: anywhere;
  }
  .dots {
    display: flex;
    gap: 0.28rem;
    padding-block: 0.55rem;
  }
  .dots i {
    inline-size: 0.45rem;
    block-size: 0.45rem;
    border-radius: 50%;
    background: var(--_muted);
    animation: breathe 1.3s ease-in-out infinite;
  }
  .dots i:nth-child(2) {
    animation-delay: 0.16s;
  }
  .dots i:nth-child(3) {
    animation-delay: 0.32s;
  }
  @keyframes breathe {
    0%, 60%, 100% {
      opacity: 0.25;
      translate: 0;
    }
    30% {
      opacity: 0.9;
      translate: 0 -2px;
    }
  }
`;

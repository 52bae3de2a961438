import { css } from "lit";

export const valueStyles = css`
  dl {
    display: grid;
    grid-template-columns: minmax(5rem, max-content) minmax(0, 1fr);
    gap: 0.3rem 1rem;
    margin: 0;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    margin: 0;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .text {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  ul {
    margin: 0;
    padding-inline-start: 1.15rem;
  }
  li::marker {
    color: var(--_muted);
  }
  pre {
    margin: 0;
    max-block-size: 18rem;
    overflow: auto;
    padding: 0.6rem 0.75rem;
    border-radius: 0.6rem;
    background: var(--_soft);
    font: 0.8125rem/1.5 var(--_mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    direction: ltr;
    text-align: start;
  }
`;

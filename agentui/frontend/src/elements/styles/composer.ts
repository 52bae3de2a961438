import { css } from "lit";

export const composerStyles = css`
  :host {
    display: block;
  }
  .box {
    padding: 0.5rem;
    border: 1px solid var(--_line);
    border-radius: 1.6rem;
    background: var(--_surface);
    box-shadow: var(--_shadow);
    cursor: text;
    transition: border-color 150ms, box-shadow 150ms;
  }
  .line {
    display: flex;
    align-items: flex-end;
    gap: 0.5rem;
  }
  .line > textarea:first-child {
    padding-inline-start: 0.6rem;
  }
  .uploads {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    margin: 0 0 0.5rem;
    padding: 0.15rem 0.15rem 0;
    list-style: none;
  }
  .uploads li {
    min-inline-size: 0;
  }
  .clip {
    flex: none;
    color: var(--_muted);
  }
  .clip:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  .too-long {
    margin: 0.4rem 0.6rem 0.1rem;
    color: var(--_bad);
    font-size: 0.8438rem;
  }
  .box:focus-within {
    border-color: color-mix(in oklab, var(--_accent), var(--_line) 45%);
    box-shadow: var(--_shadow), 0 0 0 3px color-mix(in oklab, var(--_accent), transparent 88%);
  }
  textarea {
    flex: 1;
    min-inline-size: 0;
    field-sizing: content;
    max-block-size: min(14rem, 40dvh);
    padding: 0.42rem 0;
    border: 0;
    outline: 0;
    background: none;
    resize: none;
    font-size: max(1rem, var(--_size));
    line-height: 1.5;
  }
  textarea:focus-visible {
    outline: 0; /* the box shows the focus */
  }
  textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .buttons {
    display: flex;
    gap: 0.4rem;
  }
  .round {
    display: grid;
    place-items: center;
    inline-size: 2.375rem;
    block-size: 2.375rem;
    border-radius: 50%;
    transition: background-color 120ms, scale 120ms;
  }
  .round:active {
    scale: 0.94;
  }
  .send {
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .send:disabled {
    background: var(--_hover);
    color: var(--_muted);
    opacity: 1;
  }
  .stop {
    background: var(--_text);
    color: var(--_bg);
  }
  @media (pointer: coarse) {
    .round {
      inline-size: 2.75rem;
      block-size: 2.75rem;
    }
    textarea {
      padding-block: 0.62rem;
    }
  }
`;

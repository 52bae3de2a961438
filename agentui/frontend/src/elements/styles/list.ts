import { css } from "lit";

export const listStyles = css`
  :host {
    display: block;
    block-size: 100%;
    min-block-size: 0;
    background: var(--_side);
  }
  nav {
    display: flex;
    flex-direction: column;
    block-size: 100%;
  }
  .top {
    display: grid;
    gap: 0.6rem;
    padding: 0.75rem 0.75rem 0.5rem;
  }
  .new {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    padding: 0.5rem 0.7rem;
    border-radius: 0.65rem;
    font-weight: 550;
    font-size: 0.9375rem;
    transition: background-color 120ms;
  }
  .new svg {
    color: var(--_accent);
  }
  .new:hover {
    background: var(--_hover);
  }
  .search {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    padding-inline: 0.7rem;
    border-radius: 0.65rem;
    background: var(--_hover);
    color: var(--_muted);
  }
  .search:focus-within {
    outline: 2px solid var(--_accent);
  }
  .search input {
    flex: 1;
    min-inline-size: 0;
    padding-block: 0.4rem;
    border: 0;
    outline: 0;
    background: none;
    color: var(--_text);
    font-size: 0.9063rem;
  }
  .search input:focus-visible {
    outline: 0;
  }
  .search input::placeholder {
    color: var(--_muted);
    opacity: 1;
  }
  .groups {
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    padding: 0 0.75rem 1rem;
    scrollbar-width: thin;
    scrollbar-color: var(--_line) transparent;
  }
  h3 {
    margin: 0.9rem 0 0.25rem;
    padding-inline: 0.7rem;
    font-size: 0.75rem;
    font-weight: 550;
    color: var(--_muted);
  }
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .none,
  .error {
    margin: 0.75rem 0;
    padding-inline: 0.7rem;
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .error {
    color: var(--_bad);
    padding-inline: 1.45rem;
  }
  .more {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    margin-block-start: 0.5rem;
    padding: 0.5rem 0.7rem;
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .more:hover {
    color: var(--_text);
  }
`;

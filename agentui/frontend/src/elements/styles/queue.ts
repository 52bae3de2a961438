import { css } from "lit";

export const queueStyles = css`
  section {
    margin-block-end: 0.5rem;
    padding: 0.5rem 0.6rem 0.5rem 1rem;
    border: 1px solid var(--_line);
    border-radius: 1.1rem;
    background: var(--_side);
    font-size: 0.875rem;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    color: var(--_muted);
  }
  h3 {
    display: flex;
    align-items: center;
    gap: 0.35rem;
    margin: 0;
    margin-inline-end: auto;
    font-size: 0.8125rem;
    font-weight: 550;
  }
  .link {
    padding: 0.25rem;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  ol {
    max-block-size: 12rem;
    margin: 0.15rem 0 0;
    padding: 0;
    overflow-y: auto;
    list-style: none;
  }
  .item {
    display: flex;
    align-items: center;
  }
  .words {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .count {
    display: inline-flex;
    align-items: center;
    vertical-align: middle;
    color: var(--_muted);
  }
  .item .icon-button {
    flex: none;
    inline-size: 1.85rem;
    block-size: 1.85rem;
  }
  .error {
    margin: 0.25rem 0 0;
    color: var(--_bad);
  }
  @media (pointer: coarse) {
    .item .icon-button {
      inline-size: 2.35rem;
      block-size: 2.35rem;
    }
  }
`;

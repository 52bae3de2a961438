import { css } from "lit";

export const approvalStyles = css`
  :host {
    display: block;
  }
  .card {
    border: 1px solid color-mix(in oklab, var(--_wait), var(--_line) 65%);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: var(--_shadow);
    overflow: hidden;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    padding: 0.85rem 1rem;
    background: var(--_wait-soft);
  }
  .badge {
    display: grid;
    place-items: center;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: 50%;
    background: var(--_surface);
    color: var(--_wait);
  }
  h3 {
    margin: 0;
    font-size: 1rem;
    line-height: 1.3;
    font-weight: 650;
  }
  .kicker {
    margin: 0;
    font-size: 0.8125rem;
    line-height: 1.35;
    color: var(--_wait);
  }
  .args {
    max-block-size: 24rem;
    overflow: auto;
    padding: 0.9rem 1rem 0;
    font-size: 0.9375rem;
  }
  .args:focus-visible {
    outline-offset: -2px;
  }
  form.args {
    max-block-size: none;
  }
  .fields {
    display: grid;
    gap: 0.3rem;
    margin-block-start: 0.75rem;
  }
  .fields label {
    font-size: 0.8438rem;
    color: var(--_muted);
  }
  .fields textarea {
    display: block;
    field-sizing: content;
    resize: vertical;
  }
  .fields [aria-invalid="true"] {
    border-color: var(--_bad);
  }
  .fields input[type="checkbox"] {
    justify-self: start;
    accent-color: var(--_accent);
  }
  .wrong {
    margin: 0;
    color: var(--_bad);
    font-size: 0.8438rem;
  }
  .terms {
    display: flex;
    flex-wrap: wrap;
    gap: 0.15rem 0.9rem;
    margin: 0;
    padding: 0.8rem 1rem 0.9rem;
    font-size: 0.8438rem;
    color: var(--_muted);
  }
  .who {
    display: inline-flex;
    align-items: center;
    gap: 0.5rem;
    color: var(--_text);
  }
  .dot {
    inline-size: 0.5rem;
    block-size: 0.5rem;
    border-radius: 50%;
    background: var(--_wait);
    animation: pulse 2s ease-in-out infinite;
  }
  @keyframes pulse {
    50% {
      opacity: 0.35;
    }
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  .card > .actions,
  .denial {
    padding: 0 1rem 1rem;
  }
  .says {
    margin: 0 0 0.6rem;
    font-size: 0.875rem;
  }
  .denial label {
    display: block;
    margin-block-end: 0.3rem;
    font-size: 0.8438rem;
    color: var(--_muted);
  }
  .denial textarea {
    display: block;
    resize: vertical;
    margin-block-end: 0.6rem;
  }
  .error {
    margin: 0;
    padding: 0 1rem 0.9rem;
    color: var(--_bad);
    font-size: 0.875rem;
  }
`;

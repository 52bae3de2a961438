import { css } from "lit";

export const humanStyles = css`
  :host {
    display: block;
  }
  .card {
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: var(--_shadow);
    padding: 0.9rem 1rem 1rem;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.75rem;
  }
  .badge {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: 50%;
    background: var(--_accent-soft);
    color: var(--_accent);
  }
  h3 {
    margin: 0;
    font-size: 1rem;
    line-height: 1.4;
    font-weight: 600;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-start: 0.85rem;
  }
  form {
    display: grid;
    gap: 0.65rem;
    justify-items: start;
    margin-block-start: 0.75rem;
  }
  .row {
    inline-size: 100%;
  }
  .row label {
    display: block;
    font-size: 0.8438rem;
    color: var(--_muted);
    margin-block-end: 0.2rem;
  }
  textarea {
    field-sizing: content;
    max-block-size: 10rem;
    resize: none;
  }
  .check {
    display: flex;
    gap: 0.5rem;
    align-items: center;
  }
  .check input {
    accent-color: var(--_accent);
    inline-size: 1.05rem;
    block-size: 1.05rem;
  }
  .error {
    margin: 0.6rem 0 0;
    color: var(--_bad);
    font-size: 0.875rem;
  }
`;

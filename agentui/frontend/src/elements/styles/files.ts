/** Files: before they are sent, and in a message. */
import { css } from "lit";

export const fileStyles = css`
  .upload {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    max-inline-size: 16rem;
    padding: 0.3rem;
    border: 1px solid var(--_line);
    border-radius: 0.8rem;
    background: var(--_bg);
  }
  :host([state="refused"]) .upload {
    border-color: var(--_bad);
  }
  .picture {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.5rem;
    block-size: 2.5rem;
    overflow: hidden;
    border-radius: 0.55rem;
    background: var(--_soft);
    color: var(--_muted);
  }
  canvas {
    inline-size: 100%;
    block-size: 100%;
  }
  canvas[hidden] {
    display: none;
  }
  .about {
    display: grid;
    gap: 0.1rem;
    min-inline-size: 4rem;
    flex: 1;
    font-size: 0.8125rem;
    line-height: 1.35;
  }
  .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .size {
    color: var(--_muted);
  }
  .wrong {
    color: var(--_bad);
    overflow-wrap: anywhere;
  }
  progress {
    inline-size: 100%;
    block-size: 0.3rem;
    accent-color: var(--_accent);
  }
  .upload .icon-button {
    flex: none;
    inline-size: 1.75rem;
    block-size: 1.75rem;
  }
  .files {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin: 0;
    padding: 0;
    list-style: none;
    justify-content: inherit;
  }
  .shown-picture {
    display: block;
    overflow: hidden;
    border: 1px solid var(--_line);
    border-radius: 0.9rem;
    background: var(--_soft);
  }
  .shown-picture img {
    display: block;
    max-inline-size: min(18rem, 75cqi);
    max-block-size: 16rem;
    min-inline-size: 3rem;
    min-block-size: 3rem;
    object-fit: contain;
  }
`;

import { css } from "lit";

export const itemStyles = css`
  :host {
    display: block;
    position: relative;
    font-size: 0.9063rem;
  }
  .item {
    display: flex;
    align-items: center;
    border-radius: 0.65rem;
    transition: background-color 100ms;
  }
  .item:hover,
  .item:focus-within {
    background: var(--_hover);
  }
  :host([selected]) .item {
    background: var(--_hover);
  }
  .open {
    flex: 1;
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-inline-size: 0;
    padding: 0.42rem 0.2rem 0.42rem 0.7rem;
    border-radius: inherit;
    text-align: start;
  }
  :host(:dir(rtl)) .open {
    padding-inline: 0.7rem 0.2rem;
  }
  .open:focus-visible {
    outline-offset: -2px;
  }
  .title {
    flex: 1;
    min-inline-size: 0;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  :host([selected]) .title {
    font-weight: 550;
  }
  .mark {
    flex: none;
    color: var(--_accent);
  }
  .dot {
    inline-size: 0.5rem;
    block-size: 0.5rem;
    border-radius: 50%;
    background: var(--_accent);
  }
  .dot.wait {
    background: var(--_wait);
  }
  .dots {
    flex: none;
    opacity: 0.7;
  }
  @media (hover: hover) {
    .item:not(:hover, :focus-within) .dots {
      inline-size: 0.4rem;
      opacity: 0;
    }
  }
  .menu {
    position: absolute;
    z-index: 5;
    inset-block-start: calc(100% + 2px);
    inset-inline-end: 0;
    min-inline-size: 10rem;
    padding: 0.3rem;
    border: 1px solid var(--_line);
    border-radius: 0.8rem;
    background: var(--_surface);
    box-shadow: var(--_shadow);
  }
  .menu button {
    display: flex;
    align-items: center;
    gap: 0.6rem;
    inline-size: 100%;
    padding: 0.42rem 0.6rem;
    border-radius: 0.5rem;
    text-align: start;
  }
  .menu button:hover,
  .menu button:focus-visible {
    background: var(--_soft);
    outline: 0;
  }
  .menu svg {
    color: var(--_muted);
  }
  .menu .danger,
  .menu .danger svg {
    color: var(--_bad);
  }
  .rename .field {
    padding-block: 0.35rem;
  }
  .question {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    padding: 0.6rem 0.7rem 0.7rem;
    border-radius: 0.65rem;
    background: var(--_hover);
  }
  .question p {
    flex-basis: 100%;
    margin: 0;
    line-height: 1.4;
  }
`;

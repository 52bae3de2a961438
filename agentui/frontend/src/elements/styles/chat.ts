import { css } from "lit";

export const chatStyles = css`
  :host {
    display: block;
    block-size: var(--agentui-height, min(46rem, 85dvh));
    container-type: inline-size;
    background: var(--_bg);
    overflow: hidden;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  .layout {
    position: relative;
    display: grid;
    grid-template-columns: 17rem minmax(0, 1fr);
    block-size: 100%;
  }
  :host([list="none"]) .layout {
    grid-template-columns: minmax(0, 1fr);
  }
  aside {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    background: var(--_side);
    border-inline-end: 1px solid var(--_line);
  }
  agentui-thread-list {
    flex: 1;
  }
  .user {
    display: flex;
    align-items: center;
    gap: 0.65rem;
    margin: 0;
    padding: 0.7rem 1.2rem;
    border-block-start: 1px solid var(--_line);
    font-size: 0.9063rem;
  }
  .user span {
    display: grid;
    place-items: center;
    inline-size: 1.75rem;
    block-size: 1.75rem;
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .main {
    display: flex;
    flex-direction: column;
    min-inline-size: 0;
    min-block-size: 0;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    min-block-size: 3.25rem;
    padding-inline: 1.25rem 0.75rem;
  }
  h2 {
    flex: 1;
    min-inline-size: 0;
    margin: 0;
    font-size: 0.9375rem;
    font-weight: 600;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  agentui-thread {
    flex: 1;
  }
  .menu,
  .backdrop {
    display: none;
  }
  @container (max-width: 46rem) {
    .layout {
      grid-template-columns: minmax(0, 1fr);
    }
    .menu {
      display: inline-grid;
    }
    header {
      padding-inline: 0.5rem;
      border-block-end: 1px solid var(--_line);
    }
    h2 {
      text-align: center;
    }
    :host([list="none"]) h2 {
      padding-inline-start: 0.6rem;
      text-align: start;
    }
    .backdrop:not([hidden]) {
      display: block;
      position: absolute;
      inset: 0;
      z-index: 9;
      background: rgb(0 0 0 / 35%);
      animation: fade 160ms;
    }
    aside {
      position: absolute;
      inset-block: 0;
      inset-inline-start: 0;
      z-index: 10;
      inline-size: min(19rem, 86%);
      visibility: hidden;
      translate: -100%;
      transition: translate 200ms ease, visibility 0s 200ms;
    }
    :host(:dir(rtl)) aside {
      translate: 100%;
    }
    aside.open,
    :host(:dir(rtl)) aside.open {
      visibility: visible;
      translate: 0;
      transition: translate 200ms ease;
      box-shadow: var(--_shadow);
    }
  }
  @keyframes fade {
    from {
      opacity: 0;
    }
  }
`;

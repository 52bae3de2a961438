import { css } from "lit";

/** Until the engine is there, and with it the rest (src/markdown/styles.ts). */
export const markdownStyles = css`
  :host {
    display: block;
    overflow-wrap: anywhere;
  }
  .plain {
    white-space: pre-wrap;
  }
`;

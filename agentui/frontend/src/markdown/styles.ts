/** How rendered Markdown looks. It comes with the engine: before that there is none to be seen. */

/** Marks a style sheet for the build, which makes it small. */
const css = String.raw;

const SHEET = css`
  .tok-comment,
  .tok-quote {
    color: light-dark(#6a6860, #9b998f);
    font-style: italic;
  }
  .tok-keyword,
  .tok-literal,
  .tok-selector,
  .tok-tag,
  .tok-deletion {
    color: light-dark(#9b2c5e, #f29bc0);
  }
  .tok-string,
  .tok-regexp,
  .tok-addition,
  .tok-char {
    color: light-dark(#2f6b1f, #a8d58f);
  }
  .tok-number,
  .tok-symbol,
  .tok-bullet {
    color: light-dark(#8a4a00, #e9b45c);
  }
  .tok-title,
  .tok-section,
  .tok-name {
    color: light-dark(#1d4f91, #8fbcf0);
  }
  .tok-built_in,
  .tok-type,
  .tok-attr,
  .tok-attribute,
  .tok-property,
  .tok-variable,
  .tok-template,
  .tok-meta {
    color: light-dark(#0f6e66, #58c9b9);
  }
  .block > * {
    margin-block: 0.85em;
  }
  .block:first-child > :first-child {
    margin-block-start: 0;
  }
  .block:last-child > :last-child {
    margin-block-end: 0;
  }
  /* Where the next word comes. */
  :host([growing]) .block:last-child > :is(p, h1, h2, h3, h4):last-child::after,
  :host([growing]) .block:last-child > :is(ul, ol):last-child > li:last-child::after {
    content: "";
    display: inline-block;
    inline-size: 0.55em;
    block-size: 0.55em;
    margin-inline-start: 0.35em;
    border-radius: 50%;
    background: var(--_accent);
    animation: breathe 1.2s ease-in-out infinite;
  }
  @keyframes breathe {
    50% {
      opacity: 0.25;
    }
  }
  h1, h2, h3, h4, h5, h6 {
    line-height: 1.3;
    font-weight: 650;
    text-wrap: balance;
  }
  .block > :is(h1, h2, h3, h4, h5, h6) {
    margin-block: 1.4em 0.5em;
  }
  h1 { font-size: 1.35em; }
  h2 { font-size: 1.2em; }
  h3 { font-size: 1.08em; }
  h4, h5, h6 { font-size: 1em; }
  ul, ol { padding-inline-start: 1.5em; }
  li { margin-block: 0.25em; padding-inline-start: 0.15em; }
  li::marker { color: var(--_muted); }
  li > p { margin-block: 0.4em; }
  a {
    color: var(--_accent);
    text-decoration-thickness: 1px;
    text-underline-offset: 0.18em;
  }
  strong, b { font-weight: 650; }
  blockquote {
    margin-inline: 0;
    padding-inline-start: 1em;
    border-inline-start: 3px solid var(--_line);
    color: var(--_muted);
  }
  hr {
    border: 0;
    border-block-start: 1px solid var(--_line);
    margin-block: 1.5em;
  }
  code {
    font: 0.875em/1.5 var(--_mono);
    background: var(--_soft);
    border-radius: 0.35em;
    padding: 0.12em 0.35em;
  }
  kbd {
    font: 0.85em var(--_mono);
    border: 1px solid var(--_line);
    border-block-end-width: 2px;
    border-radius: 0.35em;
    padding: 0.05em 0.4em;
  }
  img {
    max-inline-size: 100%;
    block-size: auto;
    border-radius: 0.6rem;
  }
  .code {
    margin-inline: 0;
    border: 1px solid var(--_line);
    border-radius: 0.75rem;
    background: var(--_surface);
    overflow: hidden;
  }
  .code header {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding: 0.2rem 0.35rem 0.2rem 0.9rem;
    border-block-end: 1px solid var(--_line);
    color: var(--_muted);
    font-size: 0.8em;
  }
  .code button {
    padding: 0.2rem 0.55rem;
    border-radius: 0.4rem;
    color: var(--_muted);
    transition: background-color 120ms;
  }
  .code button:hover {
    background: var(--_hover);
    color: var(--_text);
  }
  .code pre {
    margin: 0;
    padding: 0.8rem 0.9rem;
    overflow-x: auto;
    direction: ltr;
    text-align: start;
    tab-size: 4;
    overflow-wrap: normal;
  }
  .code pre code {
    background: none;
    padding: 0;
    font-size: 0.84em;
    line-height: 1.55;
  }
  .table {
    overflow-x: auto;
    border: 1px solid var(--_line);
    border-radius: 0.75rem;
  }
  table {
    border-collapse: collapse;
    inline-size: 100%;
    font-size: 0.94em;
    font-variant-numeric: tabular-nums;
  }
  th, td {
    padding: 0.5em 0.9em;
    text-align: start;
    vertical-align: top;
    border-block-end: 1px solid var(--_line);
    overflow-wrap: normal;
  }
  th { font-weight: 600; background: var(--_soft); }
  tr:last-child td { border-block-end: 0; }
  [align="right"] { text-align: end; }
  [align="center"] { text-align: center; }
`;

let sheet: CSSStyleSheet | null = null;

/** One for all elements of the page. Made by script, as a strict policy allows. */
export function markdownSheet(): CSSStyleSheet {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(SHEET);
  }
  return sheet;
}

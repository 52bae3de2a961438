export const STYLES = `
  :host {
    position: fixed; inset: auto 0 0 0; block-size: 45vh; z-index: 2147483000; display: grid;
    grid-template-rows: auto 1fr; color-scheme: dark; background: #17181b; color: #e6e6e6;
    font: 12px/1.5 ui-monospace, Menlo, Consolas, monospace; border-block-start: 2px solid #58c9b9;
  }
  header { display: flex; justify-content: space-between; padding: 4px 8px; background: #222327; }
  button { font: inherit; color: inherit; background: none; border: 0; padding: 4px 10px; cursor: pointer; }
  button[aria-selected="true"] { background: #35373d; border-radius: 4px; }
  button:focus-visible, [role="tabpanel"]:focus-visible { outline: 2px solid #58c9b9; outline-offset: -2px; }
  [role="tabpanel"] { overflow: auto; padding: 8px; }
  table { border-collapse: collapse; inline-size: 100%; }
  th, td { text-align: start; padding: 2px 10px 2px 0; vertical-align: top; white-space: nowrap; }
  td:last-child { inline-size: 100%; white-space: normal; }
  th { color: #9aa0a6; font-weight: 400; }
  pre { margin: 4px 0; white-space: pre-wrap; overflow-wrap: anywhere; max-block-size: 20em; overflow: auto; }
  h4 { margin: 8px 0 4px; }
`;

/** Line icons, 24 units wide, drawn in the colour of the text around them. */
import { svg, type SVGTemplateResult, html, type TemplateResult } from "lit";

function icon(paths: SVGTemplateResult, className = ""): (size?: number) => TemplateResult {
  return (size = 18) => html`<svg
    class=${className}
    width=${size}
    height=${size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${paths}
  </svg>`;
}

export const icons = {
  alert: icon(svg`<path d="M12 8v5M12 16.5v.01M10.3 4 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z"/>`),
  archive: icon(svg`<path d="M4 8v10a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V8M3 4h18v4H3zM10 12h4"/>`),
  arrowDown: icon(svg`<path d="M12 5v14M6 13l6 6 6-6"/>`),
  arrowUp: icon(svg`<path d="M12 19V5M6 11l6-6 6 6"/>`),
  ban: icon(svg`<circle cx="12" cy="12" r="9"/><path d="m6 6 12 12"/>`),
  bolt: icon(svg`<path d="M13 3 5 14h6l-1 7 8-11h-6l1-7Z"/>`),
  chat: icon(svg`<path d="M20.5 11.5a8 8 0 0 1-8.2 7.8 8.6 8.6 0 0 1-3.2-.6L4 20l1.5-4a7.5 7.5 0 0 1-1.4-4.4A8 8 0 0 1 12.3 3.7a8 8 0 0 1 8.2 7.8Z"/>`),
  check: icon(svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  chevron: icon(svg`<path d="m9 6 6 6-6 6"/>`, "chevron"),
  clock: icon(svg`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>`),
  clip: icon(svg`<path d="m20 11.5-8.2 8.2a5 5 0 0 1-7.1-7.1l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.6 1.6 0 0 1-2.3-2.3l7.6-7.6"/>`),
  close: icon(svg`<path d="m6 6 12 12M18 6 6 18"/>`),
  copy: icon(svg`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15a1 1 0 0 1-1-1V6a2 2 0 0 1 2-2h8a1 1 0 0 1 1 1"/>`),
  dots: icon(svg`<path d="M5 12h.01M12 12h.01M19 12h.01" stroke-width="2.6"/>`),
  down: icon(svg`<path d="m6 9 6 6 6-6"/>`),
  edit: icon(svg`<path d="m4 20 .9-3.7L16.2 5a2 2 0 0 1 2.8 2.8L7.7 19.1 4 20Z"/>`),
  file: icon(svg`<path d="M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8l-5-5Zm0 0v5h5"/>`),
  link: icon(svg`<path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.6 1.6M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.6-1.6"/>`),
  forward: icon(svg`<path d="M4 12h13M12 6l6 6-6 6"/>`),
  info: icon(svg`<circle cx="12" cy="12" r="9"/><path d="M12 11v5M12 8v.01"/>`),
  menu: icon(svg`<rect x="3.5" y="4.5" width="17" height="15" rx="3"/><path d="M9.5 4.5v15"/>`),
  newChat: icon(svg`<path d="M12 4H7a3 3 0 0 0-3 3v10a3 3 0 0 0 3 3h10a3 3 0 0 0 3-3v-5M10 14l.6-2.6 7.3-7.3a1.4 1.4 0 0 1 2 2l-7.3 7.3L10 14Z"/>`),
  question: icon(svg`<path d="M21 12a8 8 0 0 1-8 8H4l2-3a8 8 0 1 1 15-5Z"/><path d="M11 10a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1M13 15.5v.01"/>`),
  retry: icon(svg`<path d="M4 12a8 8 0 1 1 2.4 5.7M4 20v-4.5h4.5"/>`),
  search: icon(svg`<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>`),
  shield: icon(svg`<path d="M12 3.5 5 6v5.5c0 4.3 2.9 7.4 7 9 4.1-1.6 7-4.7 7-9V6l-7-2.5Z"/><path d="M12 8.5v3.5M12 15v.01"/>`),
  spinner: icon(svg`<path d="M12 3.5a8.5 8.5 0 1 0 8.5 8.5"/>`, "spin"),
  stop: icon(svg`<rect x="7" y="7" width="10" height="10" rx="2" fill="currentColor"/>`),
  thumbDown: icon(svg`<path d="M7 14V4M7 14l4 7a2 2 0 0 0 2-2v-4h5.5a2 2 0 0 0 2-2.3l-1.1-7A2 2 0 0 0 17.4 4H7M7 14H4V4h3"/>`),
  thumbUp: icon(svg`<path d="M7 10v10M7 10l4-7a2 2 0 0 1 2 2v4h5.5a2 2 0 0 1 2 2.3l-1.1 7A2 2 0 0 1 17.4 20H7M7 10H4v10h3"/>`),
  trash: icon(svg`<path d="M4 7h16M10 4h4M6.5 7l.8 11.2A2 2 0 0 0 9.3 20h5.4a2 2 0 0 0 2-1.8L17.5 7M10 11v5M14 11v5"/>`),
  up: icon(svg`<path d="m6 15 6-6 6 6"/>`),
  wifi: icon(svg`<path d="M3 9.5a13 13 0 0 1 4-2.6M21 9.5a13 13 0 0 0-9.5-3.4M6.5 13a8 8 0 0 1 3-1.8M17.5 13a8 8 0 0 0-2-1.5M12 18.5v.01M4 3l16 18"/>`),
};

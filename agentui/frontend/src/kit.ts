/**
 * What the bundle of the approvals takes from the first one, which is on the page before it: one Lit, one
 * set of words, one client. In its build this file stands for what `shareKit` left on the page.
 */
export { LitElement, css, html, nothing } from "lit";
export { Api } from "./client/api.js";
export { visible } from "./core/index.js";
export { AgentUIApprovalCard } from "./elements/approval-card.js";
export { define } from "./elements/define.js";
export { icons } from "./elements/icons.js";
export { base } from "./elements/styles/base.js";
export { tokens } from "./elements/styles/tokens.js";
export { addTexts, t } from "./elements/texts.js";
export { relative } from "./elements/time.js";
export { toolTitle } from "./elements/values.js";

/** Tools that a page declares in HTML. */
export { AgentUITool } from "./element.js";

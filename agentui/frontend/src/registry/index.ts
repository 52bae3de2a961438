/** Tools of the page, for agents to call. */
export * from "./parameters.js";
export * from "./registry.js";
export * from "./tool.js";
export { DEFAULT_TIMEOUT } from "./run.js";
export { problems } from "./validate.js";

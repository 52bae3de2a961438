/** Tools of the page, for agents to call. */
export * from "./hooks.js";
export type { ArgumentsOf, Parameters, Schema } from "./infer.js";
export type { ContextItem, PageContext, Readable } from "./context.js";
export * from "./parameters.js";
export * from "./registry.js";
export * from "./tool.js";
export { DEFAULT_TIMEOUT } from "./run.js";
export { problems } from "./validate.js";

/** Pure values and functions: no DOM, no network, no clock. The twin of `agentui/core` in Python. */
export * from "./accumulate.js";
export * from "./events.js";
export * from "./json.js";
export * from "./partial-json.js";
export * from "./state-ops.js";
export * from "./statuses.js";
export * from "./types.js";
export * from "./visible.js";

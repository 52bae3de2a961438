/** The client without a user interface: connection, stores, tools, and the fold over events. */
export * from "./client/index.js";
export * from "./core/index.js";
export * from "./registry/index.js";
export const version = "0.1.0";

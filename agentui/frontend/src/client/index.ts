/** The client without elements: connection, stores and commands. */
export type { Verdict } from "./api.js";
export * from "./client.js";
export * from "./connection.js";
export * from "./errors.js";
export * from "./frames.js";
export * from "./message-view.js";
export type { PendingMessage } from "./pending.js";
export * from "./rows.js";
export { SharedState } from "./shared-state.js";
export { ThreadListStore } from "./thread-list-store.js";
export { ThreadStore } from "./thread-store.js";
export { ToolRunner } from "./tool-runner.js";
export { Uploads, type Upload, type UploadLimits } from "./uploads.js";
export { tabId } from "./ids.js";

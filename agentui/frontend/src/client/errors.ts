/** An answer that is a refusal: `code` is stable, `message` can be shown. */
import type { JsonObject } from "../core/index.js";

export class AgentUIError extends Error {
  override name = "AgentUIError";
  readonly code: string;
  readonly details: JsonObject | null;

  constructor(code: string, message: string, details: JsonObject | null = null) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

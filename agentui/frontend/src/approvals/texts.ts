/** The words of the inbox. They are translated, and set by a site, like those of `elements/texts.ts`. */
import { addTexts, t } from "../kit.js";

const DEFAULTS = {
  inbox: "Approvals",
  inboxCount: "Approvals: {n}",
  inboxClose: "Close the approvals",
  inboxEmpty: "Nothing waits for you.",
  inboxMore: "And {n} more",
  inboxAll: "All approvals",
  inboxNews: "New request: {tool}",
  inboxFailed: "The list cannot be brought up to date.",
  askedBy: "{who} asks, {time}",
  askedFor: "Asked for",
  openPage: "Everything about it",
  answerOnPage: "This is a question to staff. It is answered on its page.",
  decidedApproved: "{tool} for {who}: approved",
  decidedDenied: "{tool} for {who}: denied",
  decidedWaits: "{tool} for {who}: your approval counts; more are needed",
  decidedOther: "{tool} for {who}: no longer open",
  decidedBy: "by {name}",
} as const;

addTexts(DEFAULTS);

type Say = (key: keyof typeof DEFAULTS, values?: Record<string, string | number>) => string;

export const say: Say = t as unknown as Say;

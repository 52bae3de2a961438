/**
 * The entry of the bundle for whoever decides: `<agentui-approvals>`. It is fetched when a page has the
 * element, or a chat with `approvals`.
 */
import { announceBundle } from "../bundles.js";
import { BesideChat } from "./beside-chat.js";
import "./inbox.js";

announceBundle("approvals", { besideChat: (chat: ConstructorParameters<typeof BesideChat>[0]) => new BesideChat(chat) });

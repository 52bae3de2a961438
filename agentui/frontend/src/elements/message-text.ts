/** The words of a message, and the message with other words. */
import type { UserPart } from "../client/frames.js";
import type { MessageView, PartView } from "../client/message-view.js";

export function textOf(message: { parts: readonly (PartView | UserPart)[] }): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** The same files with another text. */
export function partsWithText(message: Pick<MessageView, "parts">, text: string): UserPart[] {
  const files = message.parts.flatMap((part): UserPart[] => {
    if (part.type !== "file") return [];
    if (part.source_type === "attachment") return [{ type: "file", attachment: part.data }];
    const { data, mime_type, filename } = part;
    return [{ type: "file", data, mime_type, ...(filename ? { filename } : {}) }];
  });
  return text === "" ? files : [...files, { type: "text", text }];
}

/** Texts that were not sent yet, by thread, kept in this browser. */
const PREFIX = "agentui:draft:";

export class Drafts {
  get(key: string): string {
    try {
      return localStorage.getItem(PREFIX + key) ?? "";
    } catch {
      return "";
    }
  }

  set(key: string, text: string): void {
    try {
      if (text === "") localStorage.removeItem(PREFIX + key);
      else localStorage.setItem(PREFIX + key, text);
    } catch {
      // Full or switched off: the text is still in the field.
    }
  }
}

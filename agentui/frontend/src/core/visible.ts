/** Text where a person decides: what cannot be seen, or turns the line around, is written out. */

// Control characters but tab and line feed; zero-width signs, bidi marks and overrides; line and
// paragraph separators; byte order mark; tag characters.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

export function visible(text: string): string {
  return text.replace(INVISIBLE, (char) => {
    const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}

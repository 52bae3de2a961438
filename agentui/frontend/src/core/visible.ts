/** Text where a person decides: what cannot be seen, or turns the line around, is written out. */

// Control characters but tab and line feed; zero-width signs, bidi marks and overrides; line and
// paragraph separators; byte order mark; letters that are drawn as nothing; variation selectors but the
// one that makes a sign colourful; signs of private use; tag characters.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ue000-\uf8ff\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e01ef}]/gu;

export function visible(text: string): string {
  return text.replace(INVISIBLE, (char) => {
    const code = (char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}

/**
 * Closes what the end of a growing block leaves open, so that half-written emphasis, code and links
 * look the same before and after their closing sign has come.
 */
export function heal(source: string): string {
  if (/^ {0,3}(`{3,}|~{3,})/.test(source)) return source; // an open fence runs to the end by itself
  const line = source.slice(source.lastIndexOf("\n\n") + 1);
  const code = openCode(line);
  if (code !== null) return source + code;
  const text = line.replace(/(`+)[\s\S]*?\1/g, "");
  return closeEmphasis(dropOpenLink(source), text);
}

/** The backticks that would close the code span open at the end, or null when there is none. */
function openCode(text: string): string | null {
  let open: string | null = null;
  for (const [ticks] of text.matchAll(/`+/g)) {
    if (open === null) open = ticks;
    else if (open === ticks) open = null;
  }
  return open;
}

/** `[label](half-an-addr` shows its label only. */
function dropOpenLink(source: string): string {
  return source.replace(/!?\[([^\]\n]*)(?:\](?:\([^)\s]*)?)?$/, (_all, label: string) => label);
}

function closeEmphasis(source: string, text: string): string {
  const trimmed = source.replace(/(?<![\w*_~])[*_~]{1,3}$/, "");
  let closing = "";
  for (const sign of ["***", "**", "~~", "*"]) {
    const count = occurrences(text, sign);
    if (count % 2 === 1 && trimmed === source) {
      closing = sign;
      text = text.replace(sign, "");
      break;
    }
    text = text.replaceAll(sign, "");
  }
  // Emphasis cannot end behind white space.
  return closing === "" ? trimmed : trimmed.trimEnd() + closing;
}

function occurrences(text: string, sign: string): number {
  const escaped = sign.replace(/[*~]/g, "\\$&");
  const edge = `(?<![\\\\${sign[0] === "~" ? "~" : "*"}])${escaped}(?!${sign[0] === "~" ? "~" : "\\*"})`;
  return [...text.matchAll(new RegExp(edge, "g"))].filter((match) => isMarker(text, match.index, sign))
    .length;
}

/** A bullet or a lone sign between blanks is not emphasis. */
function isMarker(text: string, index: number, sign: string): boolean {
  const before = text[index - 1] ?? " ";
  const after = text[index + sign.length] ?? " ";
  return !(/\s/.test(before) && /\s/.test(after));
}

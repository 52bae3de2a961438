/** The page's language: texts that Django's translations gave to the page, by their English words. */
const ID = "agentui-texts";

export function translated<K extends string>(defaults: Record<K, string>): Partial<Record<K, string>> {
  const catalogue = read();
  const texts: Partial<Record<K, string>> = {};
  for (const key of Object.keys(defaults) as K[]) {
    const text = catalogue[defaults[key]];
    if (typeof text === "string" && text !== "") texts[key] = text;
  }
  return texts;
}

function read(): Record<string, unknown> {
  try {
    return JSON.parse(document.getElementById(ID)?.textContent ?? "{}") as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Which addresses in a model's text may become links or images. */

const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);

const ENTITIES: Record<string, string> = { amp: "&", colon: ":", newline: "", sol: "/", tab: "" };

/** The address when it may be a link, else null: no script, no data, nothing local. */
export function safeLink(address: string): string | null {
  // Browsers skip control characters and blanks in a scheme; so do we before we look.
  const text = decode(address).replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g, "");
  try {
    const url = new URL(text, document.baseURI);
    return SCHEMES.has(url.protocol) && url.username === "" ? text : null;
  } catch {
    return null;
  }
}

/** Markdown means the sign that `&#58;` stands for, and marked leaves it as it is. */
function decode(address: string): string {
  return address.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? all;
    const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/**
 * The address when the image may be loaded, else null. An image in a model's text is a request that
 * the reader never agreed to, so only addresses that the site allows are loaded: on this origin,
 * below one of the given paths.
 */
export function safeImage(address: string, prefixes: readonly string[]): string | null {
  const link = safeLink(address);
  if (link === null) return null;
  const url = new URL(link, document.baseURI);
  if (url.origin !== location.origin || url.search !== "") return null;
  return prefixes.some((prefix) => prefix.endsWith("/") && url.pathname.startsWith(prefix)) ? link : null;
}

/** Which addresses in a model's text may become links or images. */

const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:"]);

/** The address when it may be a link, else null: no script, no data, nothing local. */
export function safeLink(address: string): string | null {
  // Browsers skip control characters and blanks in a scheme; so do we before we look.
  const text = address.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]/g, "");
  try {
    const url = new URL(text, document.baseURI);
    return SCHEMES.has(url.protocol) && url.username === "" ? text : null;
  } catch {
    return null;
  }
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

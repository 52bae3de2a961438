/** What highlight.js found, as nodes. */

export interface TokenTree {
  scope?: string;
  children: (string | TokenTree)[];
}

export function nodesOf(tree: TokenTree): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...tree.children.map(nodeOf));
  return fragment;
}

function nodeOf(child: string | TokenTree): Node {
  if (typeof child === "string") return document.createTextNode(child);
  const span = document.createElement("span");
  const kind = /^[a-z_]+/.exec(child.scope ?? "")?.[0] ?? "";
  // A part in another language is a scope of the form `language:css`.
  if (kind !== "" && !child.scope?.startsWith("language:")) span.className = `tok-${kind}`;
  span.append(...child.children.map(nodeOf));
  return span;
}

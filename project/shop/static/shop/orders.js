/* The list of orders: kept fresh while the support desk changes them. */

/** Load the list again when a refund has been made. */
export function watchRefunds() {
  document.addEventListener("agentui-tool-call", ({ detail: { toolCall } }) => {
    if (toolCall.tool_name === "refund_order" && toolCall.status === "complete") void reload();
  });
}

async function reload() {
  const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
  // Signed out meanwhile: the list stays as it is until the page is loaded anew.
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector(".orders");
  if (fresh) document.querySelector(".orders")?.replaceWith(fresh);
}

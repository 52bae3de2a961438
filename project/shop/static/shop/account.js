/* The account page: a tool for the agent beside those declared in its HTML, and the support desk on a phone. */
import { openDesk, watchDesk } from "./desk.js";
import { watchRefunds } from "./orders.js";

const chat = document.querySelector("agentui-chat");

watchDesk();
watchRefunds();

// The element brings its registry along, so nothing is imported from the bundle here: its address
// differs where static files have hashed names.
await customElements.whenDefined("agentui-chat");

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-ask]");
  if (!button) return;
  openDesk();
  void chat.send(button.dataset.ask);
});

chat.registry.registerTool({
  name: "set_theme",
  description: "Show the page the customer has open in light or dark colours.",
  parameters: [
    { name: "theme", enum: ["light", "dark", "auto"], description: "auto follows the system" },
  ],
  handler({ theme }) {
    window.shopTheme.set(theme);
    return { theme };
  },
});

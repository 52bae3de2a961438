/* The account page: what it offers to the agent, and the support desk on a phone. */
import { fieldNames, fillField } from "./return-form.js";
import { openDesk, watchDesk } from "./desk.js";
import { watchRefunds } from "./orders.js";

const chat = document.querySelector("agentui-chat");
const form = document.querySelector("[data-return-form]");

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

if (form) {
  chat.registry.registerTool({
    name: "fill_field",
    description:
      "Write into a field of the return form the customer has open. It does not send the form.",
    parameters: [
      { name: "field", enum: fieldNames(form) },
      {
        name: "value",
        description: "For order the order's number; for reason: damaged, wrong or unwanted.",
      },
    ],
    handler: ({ field, value }) => fillField(form, field, value),
  });
}

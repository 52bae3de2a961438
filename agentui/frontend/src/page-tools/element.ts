/**
 * `<agentui-tool>`: a tool declared in HTML, for pages that need no script of their own.
 *
 *     <agentui-tool name="fill_return" description="..." form="#return"></agentui-tool>
 *     <agentui-tool name="send_return" form="#return" action="submit"></agentui-tool>
 *     <agentui-tool name="show_details" click="#details summary"></agentui-tool>
 *     <agentui-tool name="open_help" navigate="/help/"></agentui-tool>
 *     <agentui-tool name="go" navigate links="nav"></agentui-tool>
 *     <agentui-tool name="read_order" read="[data-order]"></agentui-tool>
 *
 * The tool is there while the element is, and looks at its target anew at every call. `confirm` asks
 * the person first, with these words if it has any; `confirm="never"` does not ask where it otherwise
 * would. `agent`, `timeout` (in ms), `follow-up="false"` and `disabled` are as for any tool.
 */
import { define } from "../elements/define.js";
import type { JsonObject } from "../core/index.js";
import { registry as pageRegistry, type ToolRegistry } from "../registry/registry.js";
import type { Tool } from "../registry/tool.js";
import { clickPlan, fillPlan, navigatePlan, readFormPlan, readPlan, submitPlan, type Plan } from "./actions.js";

const KINDS = ["form", "click", "navigate", "read"] as const;

export class AgentUITool extends HTMLElement {
  static readonly observedAttributes = [
    "name", "description", "agent", "form", "action", "click", "navigate", "links", "read", "confirm", "timeout", "follow-up", "disabled",
  ]; // prettier-ignore
  /** Where the tool is registered; set it before the element is connected. */
  registry: ToolRegistry = pageRegistry;
  #remove: (() => void) | null = null;
  #isWaiting = false;
  #told = "";
  /** A form whose fields change is another tool. */
  readonly #observer = new MutationObserver(() => this.#changed());

  connectedCallback(): void {
    this.#changed();
    // What a person has filled in is not required of the agent any more.
    this.ownerDocument.addEventListener("change", this.#onChange);
    this.#observer.observe(this.ownerDocument.body, { childList: true, subtree: true });
  }

  disconnectedCallback(): void {
    this.#observer.disconnect();
    this.ownerDocument.removeEventListener("change", this.#onChange);
    this.#unregister();
  }

  attributeChangedCallback(): void {
    this.#told = "";
    this.#changed();
  }

  readonly #onChange = (): void => this.#changed();

  /** Many changes at once, as when a template is swapped in, are looked at once. */
  #changed(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      if (this.isConnected) this.#register();
    });
  }

  #register(): void {
    const plan = this.#plan();
    const name = this.getAttribute("name") ?? "";
    if (plan === null || name === "") return this.#unregister();
    const told = JSON.stringify([name, plan.parameters]);
    if (this.#remove !== null && told === this.#told) return;
    this.#unregister();
    this.#told = told;
    this.#remove = this.registry.registerTool(this.#tool(name, plan));
  }

  #unregister(): void {
    this.#remove?.();
    this.#remove = null;
  }

  #tool(name: string, plan: Plan): Tool {
    const agent = this.getAttribute("agent");
    const timeout = this.getAttribute("timeout");
    return {
      name,
      description: this.getAttribute("description") ?? "",
      parameters: plan.parameters,
      available: !this.hasAttribute("disabled"),
      followUp: this.getAttribute("follow-up") !== "false",
      ...(agent ? { agent } : {}),
      ...(timeout ? { timeout: timeout === "none" ? null : Number(timeout) } : {}),
      confirm: this.#question(plan),
      handler: (args: JsonObject, context) => {
        const now = this.#plan();
        if (now === null) throw new Error("What this tool works on is not on the page any more.");
        return now.run(args, context);
      },
    };
  }

  #question(plan: Plan): string | boolean {
    const words = this.getAttribute("confirm");
    if (words === "never") return false;
    if (words === null) return plan.question ?? false;
    return words || (plan.question ?? true);
  }

  /** What the tool does with the page as it is now; null where its target is missing. */
  #plan(): Plan | null {
    const kind = KINDS.find((one) => this.hasAttribute(one));
    const value = kind ? (this.getAttribute(kind) ?? "") : "";
    switch (kind) {
      case "form":
        return this.#formPlan(value);
      case "click": {
        const target = this.#find(value);
        return target instanceof HTMLElement ? clickPlan(target) : null;
      }
      case "navigate": {
        const links = this.getAttribute("links");
        if (value === "" && links === null) return null;
        return navigatePlan(value || null, () => this.#links(links ?? ""));
      }
      case "read":
        return this.#find(value) ? readPlan(() => this.#all(value)) : null;
      default:
        return null;
    }
  }

  #formPlan(selector: string): Plan | null {
    const form = this.#find(selector);
    if (!(form instanceof HTMLFormElement)) return null;
    const action = this.getAttribute("action") ?? "fill";
    if (action === "submit") return submitPlan(form);
    return action === "read" ? readFormPlan(form) : fillPlan(form);
  }

  #links(within: string): HTMLAnchorElement[] {
    return this.#all(within)
      .flatMap((place) => [...place.querySelectorAll<HTMLAnchorElement>("a[href]")])
      .filter((link) => link.origin === location.origin && !link.hasAttribute("download"));
  }

  #find(selector: string): Element | null {
    return this.#all(selector)[0] ?? null;
  }

  #all(selector: string): Element[] {
    try {
      return [...this.ownerDocument.querySelectorAll(selector)];
    } catch {
      return []; // not a selector
    }
  }
}

define("agentui-tool", AgentUITool);

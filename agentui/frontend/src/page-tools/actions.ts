/**
 * What a declared tool does, one small plan each. Nothing outside the marked form, element or region
 * is ever read or touched, and no address of another origin is opened.
 */
import type { Json, JsonObject } from "../core/index.js";
import type { ToolContext } from "../registry/tool.js";
import { fillForm, readForm } from "./form-fill.js";
import { formSchema } from "./form-schema.js";
import { readRegion } from "./read.js";
import { show } from "./show.js";

export interface Plan {
  parameters: JsonObject;
  /** What the person is asked before it is done, unless the page says otherwise; null: not asked. */
  question: string | null;
  run: (args: JsonObject, context: ToolContext) => Promise<Json> | Json;
}

const NOTHING: JsonObject = { type: "object", properties: {}, additionalProperties: false };
/** How long the page may take to begin leaving, in ms. */
const LEAVING = 10_000;

export function fillPlan(form: HTMLFormElement): Plan {
  return {
    parameters: formSchema(form, { isPartial: true }),
    question: null,
    run: (args) => {
      const { values, problems } = fillForm(form, args);
      show(form);
      return { filled: Object.keys(args), values, problems, submitted: false };
    },
  };
}

/** Asked first: a form that is sent has effects. */
export function submitPlan(form: HTMLFormElement): Plan {
  return {
    parameters: formSchema(form, { isPartial: false }),
    question: "Send the form?",
    run: async (args, { resumeWith, signal }) => {
      if (!isOurs(form.action)) throw new Error("This form goes to another site; a person has to send it.");
      const { values, problems } = fillForm(form, args);
      show(form);
      if (!form.checkValidity()) throw new Error(`Not sent. ${sentences(problems)}`);
      const answer = { values, submitted: true };
      resumeWith(answer);
      if (leavesBySubmit(form)) await leaving(signal);
      return answer;
    },
  };
}

/** Asked first, unless the element is a plain disclosure of the page. */
export function clickPlan(target: HTMLElement): Plan {
  return {
    parameters: NOTHING,
    question: target.matches("summary, [aria-expanded], [role=tab]") ? null : `${nameOf(target)}?`,
    run: (_args, { resumeWith }) => {
      if (target.matches(":disabled, [aria-disabled=true]")) throw new Error("It cannot be pressed at the moment.");
      if (!isOurs(addressOf(target))) throw new Error("It leads to another site.");
      show(target);
      const answer = { clicked: nameOf(target) };
      resumeWith(answer);
      target.click();
      return answer;
    },
  };
}

/** To one fixed address, or to one of the links inside a marked element, by its words. */
export function navigatePlan(to: string | null, links: () => HTMLAnchorElement[]): Plan {
  const offered = to === null ? [...new Set(links().map(nameOf))] : [];
  const parameters: JsonObject =
    to !== null
      ? NOTHING
      : { type: "object", properties: { to: { type: "string", enum: offered } }, required: ["to"], additionalProperties: false };
  return {
    parameters,
    question: null,
    run: async (args, { resumeWith, signal }) => {
      const address = new URL(to ?? links().find((link) => nameOf(link) === args["to"])?.href ?? "", location.href);
      if (!isOurs(address.href)) throw new Error("It leads to another site.");
      const answer = { opened: address.pathname + address.search + address.hash };
      resumeWith(answer);
      location.assign(address.href);
      const isSamePage = address.hash !== "" && address.href.split("#")[0] === location.href.split("#")[0];
      if (!isSamePage) await leaving(signal);
      return answer;
    },
  };
}

export function readPlan(region: () => Element[]): Plan {
  return { parameters: NOTHING, question: null, run: () => readRegion(region()) };
}

export function readFormPlan(form: HTMLFormElement): Plan {
  return { parameters: NOTHING, question: null, run: () => ({ ...readForm(form) }) as unknown as Json };
}

/** Sends the form. False when the page stays: its own script took over, or the answer goes elsewhere. */
function leavesBySubmit(form: HTMLFormElement): boolean {
  let sent: Event | null = null;
  const note = (event: Event): void => void (sent = event);
  addEventListener("submit", note, { capture: true, once: true });
  form.requestSubmit();
  removeEventListener("submit", note, { capture: true });
  const isTaken = (sent as Event | null)?.defaultPrevented ?? true;
  return !isTaken && form.method !== "dialog" && ["", "_self"].includes(form.target);
}

/** Where pressing it leads; the page itself for anything that is no link and sends no form. */
function addressOf(target: HTMLElement): string {
  if (target instanceof HTMLAnchorElement) return target.href;
  const isButton = target instanceof HTMLButtonElement || target instanceof HTMLInputElement;
  return isButton && target.form && /^(submit|image)$/.test(target.type) ? target.formAction : location.href;
}

/** The page is about to go; the next one answers. If it stays, as for a download, so does this. */
function leaving(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LEAVING);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

export function nameOf(element: HTMLElement): string {
  const text = element.getAttribute("aria-label") || element.textContent || element.title || ("value" in element ? String(element.value) : "");
  return text.replace(/\s+/g, " ").trim();
}

function isOurs(address: string): boolean {
  const url = new URL(address, location.href);
  return url.origin === location.origin && /^https?:$/.test(url.protocol);
}

function sentences(problems: Record<string, string>): string {
  return Object.entries(problems)
    .map(([field, text]) => `${field}: ${text}`)
    .join(" ");
}

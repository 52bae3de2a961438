/**
 * The fields of a form that an agent may know of and fill: what a person sees and can change.
 * Passwords, files, hidden fields, buttons and what is disabled or read-only are never among them,
 * nor is a field marked `data-agentui="off"`, or one inside something so marked.
 */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const NEVER = new Set(["password", "file", "hidden", "submit", "reset", "button", "image"]);
/** What a browser fills in for the person and no agent has to know. */
const SECRET = /^(cc-|one-time-code$|current-password$|new-password$)/;

export interface Field {
  name: string;
  /** Several for radio buttons and for check boxes that share a name. */
  controls: Control[];
}

export function fieldsOf(form: HTMLFormElement): Field[] {
  const fields = new Map<string, Field>();
  for (const element of form.elements) {
    if (!isControl(element) || !isOpen(element)) continue;
    const field = fields.get(element.name) ?? { name: element.name, controls: [] };
    field.controls.push(element);
    fields.set(element.name, field);
  }
  return [...fields.values()];
}

export function isControl(element: Element): element is Control {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}

function isOpen(control: Control): boolean {
  if (control.name === "" || control.name === "csrfmiddlewaretoken" || NEVER.has(control.type)) return false;
  if (control.matches(":disabled") || ("readOnly" in control && control.readOnly)) return false;
  if ((control.getAttribute("autocomplete") ?? "").split(" ").some((word) => SECRET.test(word))) return false;
  return control.closest('[data-agentui="off"]') === null;
}

/** The words by which a person knows the field. */
export function labelOf({ controls, name }: Field): string {
  const first = controls[0] as Control;
  const group = controls.length > 1 || first.type === "radio" ? first.closest("fieldset") : null;
  const legend = group?.querySelector("legend")?.textContent;
  const label = legend || first.getAttribute("aria-label") || labelTexts(first)[0] || first.title;
  return tidy(label || ("placeholder" in first ? first.placeholder : "") || name);
}

export function labelTexts(control: Control): string[] {
  return [...(control.labels ?? [])].map(ownText).filter((text) => text !== "");
}

/** Text without the field that the label stands around. */
function ownText(label: HTMLElement): string {
  const copy = label.cloneNode(true) as HTMLElement;
  for (const control of copy.querySelectorAll("input, select, textarea, button")) control.remove();
  return tidy(copy.textContent ?? "");
}

/** The help that stands beside the field, as Django links it. */
export function helpOf({ controls }: Field): string {
  const first = controls[0] as Control;
  const owner = first.hasAttribute("aria-describedby") ? first : first.closest("[aria-describedby]");
  const ids = owner?.getAttribute("aria-describedby")?.split(/\s+/) ?? [];
  return tidy(ids.map((id) => first.ownerDocument.getElementById(id)?.textContent ?? "").join(" "));
}

export function tidy(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

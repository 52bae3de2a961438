/* Filling the return form as a person would, and showing where. */

const SHOWN_FOR = 2500;

/** The fields an agent may fill: what the customer sees, by name. */
export function fieldNames(form) {
  return [...form.elements].filter(isOpen).map((element) => element.name);
}

/** Writes, and answers with what stands in the field now. Throws what the agent can act on. */
export function fillField(form, name, value) {
  const element = form.elements.namedItem(name);
  if (!element || !isOpen(element)) throw new Error(`The form has no field "${name}".`);
  if (element instanceof HTMLSelectElement) choose(element, value);
  else element.value = value;
  element.dispatchEvent(new Event("input", { bubbles: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
  show(element);
  return { field: name, value: textOf(element) };
}

function choose(select, value) {
  const offers = [...select.options].filter((option) => option.value !== "");
  const wanted = value.trim().toLowerCase();
  const offer = offers.find((option) => [option.value, option.text].some((text) => text.toLowerCase() === wanted));
  if (!offer) {
    throw new Error(`"${select.name}" takes one of: ${offers.map((option) => option.value).join(", ")}.`);
  }
  select.value = offer.value;
}

function textOf(element) {
  return element instanceof HTMLSelectElement ? element.selectedOptions[0].text : element.value;
}

function isOpen(element) {
  return element.name !== "" && element.type !== "hidden" && element.type !== "submit";
}

function show(element) {
  element.scrollIntoView({ block: "center", behavior: "smooth" });
  element.classList.add("just-filled");
  setTimeout(() => element.classList.remove("just-filled"), SHOWN_FOR);
}

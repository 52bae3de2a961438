/** Defines an element unless the page has it already, as when two bundles are loaded. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element);
}

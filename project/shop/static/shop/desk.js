/* On a phone the support desk covers the page. It opens by its button and closes by its own or Escape. */

const narrow = matchMedia("(max-width: 62rem)");

export function openDesk() {
  if (narrow.matches) set(true);
}

export function watchDesk() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-desk]");
    if (button) set(button.dataset.desk === "open");
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented) set(false);
  });
  narrow.addEventListener("change", () => set(false));
}

function set(isOpen) {
  if (isOpen === document.body.classList.contains("desk-is-open")) return;
  document.body.classList.toggle("desk-is-open", isOpen);
  for (const behind of document.querySelectorAll("[data-behind-desk]")) behind.inert = isOpen;
  document.querySelector(isOpen ? '[data-desk="close"]' : '[data-desk="open"]').focus();
}

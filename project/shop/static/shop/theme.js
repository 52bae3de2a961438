/* The page's theme: "light", "dark", or "auto" for the reader's system. Kept for the next page. */
(() => {
  const KEY = "shop:theme";
  const root = document.documentElement;

  function remembered() {
    try {
      return localStorage.getItem(KEY) ?? "auto";
    } catch {
      return "auto";
    }
  }

  function set(theme) {
    root.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Without storage the theme holds for this page.
    }
  }

  function isDark() {
    const theme = root.dataset.theme;
    return theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  }

  root.dataset.theme = remembered();
  window.shopTheme = { set };

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("[data-theme-switch]");
    button.hidden = false;
    button.addEventListener("click", () => set(isDark() ? "light" : "dark"));
  });
})();

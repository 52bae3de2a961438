import { defineConfig } from "vite";

export default defineConfig({
  base: "/static/clients_react/",
  oxc: { jsx: { runtime: "automatic" } },
  build: {
    outDir: "build/clients_react",
    emptyOutDir: true,
    target: "es2022",
    minify: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 100_000,
    rolldownOptions: { input: ["copilotkit.html", "assistant-ui.html"] },
  },
});

/** The gallery on a port: `node dev/serve.mjs [port]`. Built once, at the start. */
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const port = Number(process.argv[2] ?? 8093);
const { outputFiles } = await build({
  absWorkingDir: path.join(here, ".."),
  entryPoints: { gallery: "dev/gallery.ts", "agentui-markdown": "src/markdown/index.ts" },
  outdir: "/",
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const files = new Map(outputFiles.map((file) => [`/${path.basename(file.path)}`, file.contents]));
files.set("/", await readFile(path.join(here, "gallery.html")));
files.set("/page.css", await readFile(path.join(here, "..", "src", "page.css")));

const TYPES = { ".js": "text/javascript", ".css": "text/css", "": "text/html; charset=utf-8" };
/** As strict as a site can be: what works here needs no exception anywhere. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types dompurify lit-html";

createServer((request, response) => {
  const name = new URL(request.url ?? "/", "http://localhost").pathname;
  const body = files.get(name);
  if (body === undefined) return response.writeHead(404).end();
  const type = TYPES[path.extname(name)];
  response.writeHead(200, { "Content-Type": type, "Content-Security-Policy": POLICY }).end(body);
}).listen(port, "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/?view=tour`));

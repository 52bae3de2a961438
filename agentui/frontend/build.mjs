/**
 * Bundles the elements, the Markdown engine, the client without elements and the inspector, each into
 * one minified ES module with a source map, in agentui/static/agentui/, and puts an npm package of the
 * client with its types into agentui/npm/. Called by hatch_build.py, or by hand: `npm run build`.
 * Prints what each costs; the first two have a limit.
 */
import { copyFile, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";
import { packClient } from "./pack-client.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const outdir = path.join(here, "..", "static", "agentui");
const entryPoints = {
  agentui: "src/index.ts",
  "agentui-markdown": "src/markdown/index.ts",
  "agentui-highlight": "src/highlight/index.ts",
  "agentui-client": "src/client.ts",
  "agentui-inspector": "src/inspector/index.ts",
};
/** Made of what the first has left on the page (src/kit.ts): one Lit, however many bundles. */
const onTop = { "agentui-approvals": "src/approvals/index.ts" };
/** Kilobytes after gzip. A page loads the first; the others come when something on it needs them. */
const LIMITS = { agentui: 60, "agentui-markdown": 32, "agentui-highlight": 60, "agentui-approvals": 10 };

await rm(outdir, { recursive: true, force: true });
const options = {
  absWorkingDir: here,
  outdir,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  sourcemap: true,
  legalComments: "none", // they stand in full in agentui.licenses.txt
  banner: { js: "/* agentui, BSD-3-Clause; bundled packages: see agentui.licenses.txt */" },
  metafile: true,
  logLevel: "warning",
};
const small = { name: "small-templates", setup: smallTemplates };
const result = await build({ ...options, entryPoints, plugins: [small] });
await build({ ...options, entryPoints: onTop, plugins: [small, { name: "kit-of-the-page", setup: kitOfThePage }] });
await writeFile(path.join(outdir, "agentui.licenses.txt"), await notices(result.metafile));
await copyFile(path.join(here, "src", "page.css"), path.join(outdir, "page.css"));
await packClient({ here, outdir, packdir: path.join(here, "..", "npm") });
await printSizes();

/** Style sheets in templates are minified like any other; indentation between tags goes. */
function smallTemplates({ onLoad }) {
  onLoad({ filter: /src\/(elements|approvals|markdown)\/.*\.ts$/ }, async ({ path: file }) => {
    let contents = await readFile(file, "utf8");
    for (const [whole, sheet] of contents.matchAll(/css`([^`$]*)`/g)) {
      const { code } = await transform(sheet, { loader: "css", minify: true });
      contents = contents.replace(whole, () => `css\`${code.trim().replaceAll("\\", "\\\\")}\``);
    }
    return { contents: contents.replace(/\n\s+/g, "\n"), loader: "ts" };
  });
}

/** What `src/kit.ts` exports is taken from the page instead. */
function kitOfThePage({ onLoad }) {
  onLoad({ filter: /src\/kit\.ts$/ }, async ({ path: file }) => {
    const source = await readFile(file, "utf8");
    const names = [...source.matchAll(/^export \{([^}]*)\}/gm)].map(([, list]) => list.trim()).join(", ");
    return { contents: `export const { ${names} } = globalThis[Symbol.for("agentui.kit")];`, loader: "js" };
  });
}

async function printSizes() {
  for (const name of Object.keys({ ...entryPoints, ...onTop })) {
    const code = await readFile(path.join(outdir, `${name}.js`));
    const kilobytes = gzipSync(code, { level: 9 }).length / 1024;
    console.log(`${name}.js: ${kilobytes.toFixed(1)} KB gzip`);
    if (kilobytes > (LIMITS[name] ?? Infinity)) {
      throw new Error(`${name}.js is larger than ${LIMITS[name]} KB`);
    }
  }
}

/** The licence text of every npm package that has code in a bundle. */
async function notices(metafile) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
    if (match) folders.add(match[0]);
  }
  const sections = ["The agentui browser bundle contains code of these packages.\n"];
  for (const folder of [...folders].sort()) {
    const root = path.join(here, folder);
    const { name, version, license } = JSON.parse(
      await readFile(path.join(root, "package.json"), "utf8"),
    );
    const files = (await readdir(root)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
    if (files.length === 0) throw new Error(`${name} ships no licence text`);
    const texts = await Promise.all(
      files.sort().map((file) => readFile(path.join(root, file), "utf8")),
    );
    sections.push(
      `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n\n${texts.join("\n\n")}\n`,
    );
  }
  return sections.join("\n");
}

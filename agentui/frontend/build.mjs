/**
 * Bundles src/index.ts into one minified ES module, with a source map and the licences of what it
 * contains, in agentui/static/agentui/. Called by hatch_build.py, or by hand: `npm run build`.
 */
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const outdir = path.join(here, "..", "static", "agentui");

await rm(outdir, { recursive: true, force: true });
const result = await build({
  absWorkingDir: here,
  entryPoints: { agentui: "src/index.ts" },
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
});
await writeFile(path.join(outdir, "agentui.licenses.txt"), await notices(result.metafile));

/** The licence text of every npm package that has code in the bundle. */
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

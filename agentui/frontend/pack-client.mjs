/**
 * The npm package `agentui-client`: the bundle of the client without elements and the types of its
 * sources. It is a folder in the installed Python package, so that both always have one version:
 *
 *     npm install "$(python -c 'import agentui, pathlib; print(pathlib.Path(agentui.__file__).parent)')/npm"
 */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export async function packClient({ here, outdir, packdir }) {
  await rm(packdir, { recursive: true, force: true });
  await mkdir(packdir, { recursive: true });
  for (const name of ["agentui-client.js", "agentui-client.js.map"]) {
    await copyFile(path.join(outdir, name), path.join(packdir, name));
  }
  const compiler = path.join(here, "node_modules", "typescript", "bin", "tsc");
  const options = ["-p", "tsconfig.types.json", "--outDir", path.join(packdir, "types")];
  await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: here });
  await writeFile(path.join(packdir, "package.json"), `${JSON.stringify(await manifest(here), null, 2)}\n`);
}

async function manifest(here) {
  const init = await readFile(path.join(here, "..", "__init__.py"), "utf8");
  const source = await readFile(path.join(here, "src", "client.ts"), "utf8");
  const version = /__version__ = "([^"]+)"/.exec(init)?.[1] ?? /version = "([^"]+)"/.exec(source)[1];
  return {
    name: "agentui-client",
    version,
    description: "Client of agentui: connection, threads, tools of the page. No user interface.",
    license: "BSD-3-Clause",
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./types/client.d.ts", default: "./agentui-client.js" } },
    types: "./types/client.d.ts",
    files: ["agentui-client.js", "agentui-client.js.map", "types"],
  };
}

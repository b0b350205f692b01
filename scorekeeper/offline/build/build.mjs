// Makes the phone's engine as scorekeeper/offline/engine_build.py orders it: node build.mjs '{"root": "…", …}'
//   root: the folder of the project; library: the one Django is installed in; extra_games: the setting;
//   made: what page_crawler.py wrote; target: where to build; before: an older build; is_compressed: whether to write the packed forms too.
// Pyodide itself is copied; its library is slimmed by scorekeeper/offline/engine_bundle.py, inside Pyodide.

import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const { root, library, made, target, before, extra_games, is_compressed } = JSON.parse(process.argv[2]);
const source = join(root, "node_modules", "pyodide");
const { loadPyodide } = await import(join(source, "pyodide.mjs"));

// Written bytecode would lie among the sources, which are mounted here as they are.
const pyodide = await loadPyodide({ indexURL: source, env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const [place, folder] of Object.entries({ "/root": root, "/library": library, "/made": made, "/target": target })) {
  pyodide.mountNodeFS(place, folder);
}
pyodide.runPython("import sys; sys.path += ['/root', '/library']");
const engineBundle = pyodide.pyimport("scorekeeper.offline.engine_bundle");
engineBundle.import_used_modules("/root/templates", "/made", pyodide.toPy(extra_games));
const packed = JSON.parse(engineBundle.write_archives("/root", "/library", "/made", "/target"));

for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"]) {
  copyFileSync(join(source, name), join(target, name));
}
copyFileSync(new URL("engine.mjs", import.meta.url), join(target, "engine.mjs"));
const { info } = JSON.parse(readFileSync(join(source, "pyodide-lock.json"), "utf8"));
writeFileSync(join(target, "manifest.json"), JSON.stringify({ pyodide: info, extra_games, ...packed }, null, 1));

const PACKERS = {
  ".br": (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }),
  ".gz": (bytes) => promisify(gzip)(bytes, { level: 9 }),
};

// Most of a build is the same as the one before: what is equal is not packed again, which takes the longest of all.
async function pack(name) {
  const bytes = readFileSync(join(target, name));
  const old = join(before, name);
  const is_same = existsSync(old) && readFileSync(old).equals(bytes);
  for (const [ending, packer] of Object.entries(PACKERS)) {
    const kept = is_same && existsSync(old + ending);
    writeFileSync(join(target, name) + ending, kept ? readFileSync(old + ending) : await packer(bytes));
  }
}

// The manifest is still to be signed, and it is small.
if (is_compressed) await Promise.all(readdirSync(target).filter((name) => name !== "manifest.json").map(pack));

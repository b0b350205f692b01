// Builds the phone's engine for tools/phone_engine/engine_build.py: node build.mjs '{"root": "…", …}'
// - root: the folder of the project. library: the folder that Django is installed in. extra_games: the setting.
// - made: the folder with the files of page_crawler.py. target: the folder to build. before: the previous build.
// - compression: of the files for the network: "best", "fast" or "none".
// Pyodide itself is copied; tools/phone_engine/engine_bundle.py bundles the Python library, inside Pyodide.

import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// Node would print the line of the source as well. Pyodide is one line of 1.2 million characters, after which nothing fits.
process.on("uncaughtException", (error) => {
  console.error(error.name === "PythonError" ? error.message : error.stack);
  process.exitCode = 1;
});

const { root, library, made, target, before, extra_games, compression } = JSON.parse(process.argv[2]);
const source = join(root, "node_modules", "pyodide");
const { loadPyodide } = await import(join(source, "pyodide.mjs"));

// Otherwise Python would write bytecode into the source folders, which are mounted here.
const pyodide = await loadPyodide({ indexURL: source, env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const [mount, folder] of Object.entries({ "/root": root, "/library": library, "/made": made, "/target": target })) {
  pyodide.mountNodeFS(mount, folder);
}
pyodide.runPython("import sys; sys.path += ['/root', '/library']");
const engineBundle = pyodide.pyimport("tools.phone_engine.engine_bundle");
engineBundle.import_used_modules("/root/templates", "/made", pyodide.toPy(extra_games));
const archives = JSON.parse(engineBundle.write_archives("/root", "/library", "/made", "/target"));

for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"]) {
  copyFileSync(join(source, name), join(target, name));
}
copyFileSync(new URL("engine.mjs", import.meta.url), join(target, "engine.mjs"));
const { info } = JSON.parse(readFileSync(join(source, "pyodide-lock.json"), "utf8"));
writeFileSync(join(target, "manifest.json"), JSON.stringify({ pyodide: info, extra_games, compression, ...archives }, null, 1));

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = constants;
const isBest = compression === "best";
const params = { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_QUALITY]: isBest ? 11 : 6 };
const COMPRESSORS = {
  ".br": (bytes) => promisify(brotliCompress)(bytes, { params }),
  ".gz": (bytes) => promisify(gzip)(bytes, { level: isBest ? 9 : 6 }),
};

// Most of a build equals the previous one. Unchanged files are not compressed again, because compressing takes longest.
const manifest = join(before, "manifest.json");
const previous = existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).compression : "none";
const isPreviousUsable = [compression, "best"].includes(previous);
async function compress(name) {
  const bytes = readFileSync(join(target, name));
  const old = join(before, name);
  const is_same = isPreviousUsable && existsSync(old) && readFileSync(old).equals(bytes);
  for (const [extension, compressor] of Object.entries(COMPRESSORS)) {
    const is_reusable = is_same && existsSync(old + extension);
    writeFileSync(join(target, name) + extension, is_reusable ? readFileSync(old + extension) : await compressor(bytes));
  }
}

// The manifest is not complete yet, and it is small.
if (compression !== "none") await Promise.all(readdirSync(target).filter((name) => name !== "manifest.json").map(compress));

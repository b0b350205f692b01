// Runs the built engine in Node: node run_engine.mjs FOLDER [SNAPSHOT].
// Each line of standard input is a call: a JSON list of a function name and its argument. For each call one line of JSON
// is written: `answer` or `error`, and `ms`, the duration. Before that, one line is written when the engine is ready:
// `ms` since the start of the program, and `isRestored`. SNAPSHOT is a file for a snapshot of the engine's memory, which
// the next start restores.

import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const home = `${resolve(process.argv[2])}/`;
const { startEngine } = await import(`${home}engine.mjs`);
const [, , , file] = process.argv;
const snapshots = file && {
  load: () => readFile(file).then((bytes) => new Uint8Array(bytes)).catch(() => null),
  save: async (_digest, bytes) => writeFileSync(file, bytes),
};
const { call, isRestored } = await startEngine(home, (name) => readFile(home + name), snapshots).catch((error) => {
  console.error(error.message); // without the source line: Pyodide's lines are a megabyte long
  process.exit(1);
});
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

print({ ms: performance.now(), isRestored });
for await (const line of createInterface({ input: process.stdin })) {
  const [name, text] = JSON.parse(line);
  const start = performance.now();
  try {
    const answer = call(name, text);
    print({ answer, ms: performance.now() - start });
  } catch (error) {
    print({ error: String(error), ms: performance.now() - start });
  }
}

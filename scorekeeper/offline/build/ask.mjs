// Asks the built engine from outside: node ask.mjs FOLDER [SNAPSHOT]. Each line of standard input is a JSON list of a
// question and its text; each is answered by one line of JSON: `answer`, or `error`; and `ms`, the time that took.
// The first line is written unasked: `ms` from the start of the program until the engine was ready, and `isRestored`.
// SNAPSHOT is a file in which the engine's memory is kept for the next start.

import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

const home = `${resolve(process.argv[2])}/`;
const { startEngine } = await import(`${home}engine.mjs`);
const [, , , file] = process.argv;
const snapshots = file && {
  load: () => readFile(file).catch(() => null),
  save: (_digest, bytes) => writeFileSync(file, bytes),
};
const { ask, isRestored } = await startEngine(home, (name) => readFile(home + name), snapshots).catch((error) => {
  console.error(error.message); // without the line it happened on: Pyodide's are a megabyte long
  process.exit(1);
});
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

say({ ms: performance.now(), isRestored });
for await (const line of createInterface({ input: process.stdin })) {
  const [question, text] = JSON.parse(line);
  const start = performance.now();
  try {
    const answer = ask(question, text);
    say({ answer, ms: performance.now() - start });
  } catch (error) {
    say({ error: String(error), ms: performance.now() - start });
  }
}

// The worker in which the engine runs, so that no tap waits for it. It is served at the top, as /engine-worker.js, with
// the one content policy that allows WebAssembly. Questions come with a number and are answered under it.

import { startEngine } from "/offline/engine.mjs";

const HOME = "/offline/";

async function read(name) {
  const answer = await fetch(`${HOME}${name}`);
  if (!answer.ok) throw new Error(`${name} cannot be had`);
  return answer.arrayBuffer();
}

const started = startEngine(new URL(HOME, self.location.origin).href, read);
started.then(() => self.postMessage({ isStarted: true }), (error) => self.postMessage({ isStarted: false, error: String(error) }));

self.addEventListener("message", async ({ data: { number, name, text } }) => {
  try {
    const ask = await started;
    self.postMessage({ number, answer: ask(name, text) });
  } catch (error) {
    self.postMessage({ number, error: String(error) });
  }
});

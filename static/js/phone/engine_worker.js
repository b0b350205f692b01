// The worker in which the engine runs, so that no tap waits for it. It is served at the top, as /engine-worker.js, with
// the one content policy that allows WebAssembly. Questions come with a number and are answered under it.

import { startEngine } from "/offline/engine.mjs";

const HOME = "/offline/";

async function read(name) {
  const answer = await fetch(`${HOME}${name}`);
  if (!answer.ok) throw new Error(`${name} cannot be had`);
  return answer.arrayBuffer();
}

// A cache of its own: the app's is fetched anew with each version, which may have the same engine.
const SNAPSHOTS = "engine-snapshots";
const nameSnapshot = (digest) => `${HOME}snapshots/${digest}`;

/** Where the engine's memory is kept, some 45 MB. What cannot be kept or found again only makes the next start slower. */
const snapshots = {
  async load(digest) {
    try {
      const found = await (await caches.open(SNAPSHOTS)).match(nameSnapshot(digest));
      return found && new Uint8Array(await found.arrayBuffer());
    } catch (error) {
      return ignore(error);
    }
  },
  async save(digest, bytes) {
    try {
      await caches.delete(SNAPSHOTS); // those of other builds
      await (await caches.open(SNAPSHOTS)).put(nameSnapshot(digest), new Response(bytes));
    } catch (error) {
      ignore(error);
    }
  },
};

/** What must not fail what it is done for. */
const ignore = (error) => console.debug(String(error));

const started = startEngine(new URL(HOME, self.location.origin).href, read, self.caches && snapshots);
started.then(
  ({ isRestored }) => self.postMessage({ isStarted: true, isRestored }),
  (error) => self.postMessage({ isStarted: false, error: String(error) }),
);

self.addEventListener("message", async ({ data: { number, name, text } }) => {
  try {
    const { ask } = await started;
    self.postMessage({ number, answer: ask(name, text) });
  } catch (error) {
    // Should it be the snapshot that is at fault, the next start is made anew.
    self.caches?.delete(SNAPSHOTS).catch(ignore);
    self.postMessage({ number, error: String(error) });
  }
});

// The worker in which the engine runs, so that no tap waits for it. It is served as /engine-worker.js, with the only
// content security policy that allows WebAssembly. Each call has a number, and its response carries the same number.

import { startEngine } from "/offline/engine.mjs";

const BASE = "/offline/";

async function read(name) {
  const answer = await fetch(`${BASE}${name}`);
  if (!answer.ok) throw new Error(`${name} cannot be fetched`);
  return answer.arrayBuffer();
}

// A separate cache: the app's cache is replaced with each version, but the engine may be the same.
const SNAPSHOTS = "engine-snapshots";
const getSnapshotUrl = (digest) => `${BASE}snapshots/${digest}`;

/** Stores the snapshot of the engine's memory, about 45 MB. Without it, only the next start is slower. */
const snapshots = {
  async load(digest) {
    try {
      const found = await (await caches.open(SNAPSHOTS)).match(getSnapshotUrl(digest));
      return found && new Uint8Array(await found.arrayBuffer());
    } catch (error) {
      return ignore(error);
    }
  },
  async save(digest, bytes) {
    try {
      await caches.delete(SNAPSHOTS); // those of other builds
      await (await caches.open(SNAPSHOTS)).put(getSnapshotUrl(digest), new Response(bytes));
    } catch (error) {
      ignore(error);
    }
  },
};

/** Log an error that must not stop the caller. */
const ignore = (error) => console.debug(String(error));

const started = startEngine(new URL(BASE, self.location.origin).href, read, self.caches && snapshots);
started.then(
  ({ isRestored }) => self.postMessage({ isStarted: true, isRestored }),
  (error) => self.postMessage({ isStarted: false, error: String(error) }),
);

self.addEventListener("message", async ({ data: { number, name, text } }) => {
  try {
    const { call } = await started;
    self.postMessage({ number, answer: call(name, text) });
  } catch (error) {
    // In case the snapshot is damaged, the next start does without it.
    self.caches?.delete(SNAPSHOTS).catch(ignore);
    self.postMessage({ number, error: String(error) });
  }
});

// The worker in which the engine runs, so that no tap waits for it. It is served as /engine-worker.js, with the only
// content security policy that allows WebAssembly. Each call has a number, and its response carries the same number.

import { startEngine } from "/offline/engine.mjs";

const scope = /** @type {DedicatedWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** @type {Protocol} */
const PROTOCOL = 1;
const BASE = "/offline/";
const LANGUAGE = "/crew/language.json";

/** @param {string} name */
async function read(name) {
  const answer = await fetch(`${BASE}${name}`);
  if (!answer.ok) throw new Error(`${name} cannot be fetched`);
  return answer.arrayBuffer();
}

// A separate cache: the app's cache is replaced with each version, but the engine may be the same.
const SNAPSHOTS = "engine-snapshots";
/** @param {string} digest */
const getSnapshotUrl = (digest) => `${BASE}snapshots/${digest}`;

/**
 * Stores the snapshot of the engine's memory, about 45 MB. Without it, only the next start is slower.
 * @type {Snapshots}
 */
const snapshots = {
  async load(digest) {
    try {
      const found = await (await caches.open(SNAPSHOTS)).match(getSnapshotUrl(digest));
      return found ? new Uint8Array(await found.arrayBuffer()) : null;
    } catch (error) {
      ignore(error);
      return null;
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

/**
 * Log an error that must not stop the caller.
 * @param {Error} error
 */
const ignore = (error) => console.debug(String(error));

/** Return the texts of the phone's language; null if there are none, and then the engine speaks English. */
async function readLanguage() {
  try {
    const answer = await fetch(LANGUAGE);
    return answer.ok ? await answer.text() : null;
  } catch (error) {
    ignore(error);
    return null;
  }
}

async function start() {
  const language = readLanguage();
  const engine = await startEngine(new URL(BASE, scope.location.origin).href, read, scope.caches && snapshots);
  const texts = await language;
  /** @type {string | undefined} */
  const spoken = texts ? JSON.parse(engine.call("set_language", texts)) : undefined;
  return { ...engine, language: spoken };
}

const started = start();
started.then(
  ({ isRestored, language }) => post({ isStarted: true, isRestored, language, protocol: PROTOCOL }),
  (error) => post({ isStarted: false, error: String(error) }),
);

/** @param {MessageFromEngine} message */
function post(message) {
  scope.postMessage(message);
}

scope.addEventListener("message", async (event) => {
  /** @type {EngineCall} */
  const { number, name, text } = event.data;
  try {
    const { call } = await started;
    post({ number, answer: call(name, text) });
  } catch (error) {
    // In case the snapshot is damaged, the next start does without it.
    scope.caches?.delete(SNAPSHOTS).catch(ignore);
    post({ number, error: String(error) });
  }
});

// The phone's memory: the browser's storage with the entries made on this phone. It has an id, which the phone tells the
// server with each of its requests, so that the server finds out when the browser has cleared it.
//
// - The id is new whenever entries are missing: because there is none, because of gaps in the running numbers, or because
//   an older state was restored.
// - Some browsers keep localStorage when they clear the database. What was counted is stored there as well, so that the
//   phone itself can say without signal that entries are lost, and how many of them had not been sent.

import { getFact, open, SAFE, setFact } from "./store.js";

export const MEMORY_HEADER = "X-Tailgunner-Memory";
const FACT = "memory";
const LOCK = "tailgunner-memory";
const COUNTED = "tailgunner-memory"; // in localStorage; its content is data

/** Count again whenever entries change. */
export function listen() {
  document.addEventListener("phone:outbox", readMemory);
  return readMemory();
}

/** Return what the phone tells the server of its memory. */
export async function describeMemory() {
  const { id, made, lost } = await readMemory();
  return [id, made, ...(lost && !lost.told ? [lost.pending] : [])].join(" ");
}

/** Record that the server has been told of this memory: from now on it says itself what is lost. */
export async function recordTold() {
  const known = await getFact(FACT);
  if (known?.lost && !known.lost.told) await setFact(FACT, { ...known, lost: { ...known.lost, told: Date.now() } });
}

/**
 * Return the losses that no organiser has confirmed: those that the server knows of and, until it has been told, the one
 * that this phone has found itself.
 * @param {RideHead} [copy] the head of the copy of the ride.
 * @returns {Promise<MemoryLoss[]>}
 */
export async function listLosses(copy) {
  const { lost } = await readMemory();
  if (lost && !(copy && lost.told && copy.asked > lost.told)) {
    return [{ reason: "cleared", found_at: new Date(lost.found).toISOString(), last_report_at: null, missing: lost.pending }];
  }
  const db = await open();
  const part = copy && db.objectStoreNames.contains("parts") ? await db.get("parts", "own") : undefined;
  return part?.own?.losses ?? [];
}

/** Return the id of the memory and how many entries were ever made in it; after a loss, what is known of it. */
async function readMemory() {
  const before = readCounted(); // first, so that an entry made meanwhile is not taken for lost
  const found = await readStored();
  const known = isIntact(found, before) ? found : await navigator.locks.request(LOCK, renewIfLost);
  const { fact, made, pending } = known;
  writeCounted({ id: fact.id, made, pending });
  return { ...fact, made };
}

/** @typedef {{fact?: Facts["memory"], made: number, held: number, pending: number}} Stored */
/** @typedef {Stored & {fact: Facts["memory"]}} IntactMemory */

/**
 * @param {Stored} stored
 * @param {Counted | null} before
 * @returns {stored is IntactMemory}
 */
function isIntact(stored, before) {
  const { fact, made, held } = stored;
  if (!fact || made - held !== fact.gap) return false;
  return !before || (before.id === fact.id && before.made <= made);
}

/** @returns {Promise<Stored>} */
async function readStored() {
  const work = (await open()).transaction(["facts", "operations"]);
  const operations = work.objectStore("operations");
  const [fact, held, last, pending] = await Promise.all([
    /** @type {Promise<Facts["memory"] | undefined>} */ (work.objectStore("facts").get(FACT)),
    operations.count(), operations.openKeyCursor(null, "prev"), operations.index("state").count("waiting"),
  ]);
  return { fact, made: last?.key ?? 0, held, pending };
}

/** Give the memory a new id, unless another page has done so. @returns {Promise<IntactMemory>} */
async function renewIfLost() {
  const before = readCounted();
  const found = await readStored();
  if (isIntact(found, before)) return found;
  const isLost = Boolean(before || found.fact);
  const lost = isLost ? { lost: { found: Date.now(), pending: before?.pending ?? 0 } } : {};
  const fact = { id: crypto.randomUUID(), gap: found.made - found.held, ...lost };
  const work = (await open()).transaction("facts", "readwrite", SAFE);
  work.store.put(fact, FACT);
  await work.done;
  writeCounted({ id: fact.id, made: found.made, pending: found.pending });
  return { ...found, fact };
}

/** @returns {Counted | null} */
function readCounted() {
  try {
    const counted = JSON.parse(localStorage.getItem(COUNTED) ?? "null");
    return typeof counted?.id === "string" ? counted : null;
  } catch {
    return null; // the browser forbids it, or someone has changed it
  }
}

/** @param {Counted} counted */
function writeCounted(counted) {
  try {
    localStorage.setItem(COUNTED, JSON.stringify(counted));
  } catch (error) {
    console.debug("What was counted is only in the database:", error.message);
  }
}

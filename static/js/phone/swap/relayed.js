// Entries of other phones that this phone relays, as envelopes that their own phones have signed. An envelope is
// deleted from this phone only after the server's receipt, and once the copy of the ride here contains the entry.
//
// States (data): `waiting` is pending; `delivered`, the server has it; `stopped`, the server does not accept it from
// this phone, and it is kept.

import { ACCEPTED_OUTCOMES, RECORDED_OUTCOMES } from "../outbox.js";
import { open, SAFE } from "../store.js";
import { InvalidBundle } from "./bundle.js";

export const MAX_BATCH = 100; // envelopes per request
const MAX_FAILURES = 3; // of the server on one envelope, before it is stopped
/** @type {Receipt} */
const FAILED = { outcome: "failed", problems: [], entries: [] };
const NOT_YET = "not_yet";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const channel = new BroadcastChannel("tailgunner-carried");
channel.addEventListener("message", ({ data }) => announce(data));

/** @param {RelayedChange} what */
function announce(what) {
  document.dispatchEvent(new CustomEvent("phone:relayed", { detail: { what } }));
}

/** @param {RelayedChange} what */
function broadcast(what) {
  announce(what);
  channel.postMessage(what);
}

/**
 * Store the envelopes of another phone's bundle. Resolves when they are on disk.
 * @param {BundleContent} content
 * @returns {Promise<{taken: Record<string, number>, known: number}>} how many are new here by
 *   owner's name, and how many were here already.
 */
export async function storeEnvelopes({ names, envelopes }) {
  const rows = envelopes.map((envelope) => parseEnvelope(envelope, names));
  const work = (await open()).transaction(["carried", "operations"], "readwrite", SAFE);
  /** @type {{taken: Record<string, number>, known: number}} */
  const result = { taken: {}, known: 0 };
  for (const row of rows) {
    const before = await work.objectStore("carried").get([row.device, row.operations_json]);
    const isOwn = await work.objectStore("operations").index("id").getKey(row.id);
    if (isOwn || (before && before.state !== "stopped")) result.known += 1;
    else {
      work.objectStore("carried").put(row);
      result.taken[row.from] = (result.taken[row.from] ?? 0) + 1;
    }
  }
  await work.done;
  broadcast("taken");
  return result;
}

/**
 * Only the server can check a signature; this only checks that it is an envelope at all.
 * @param {Envelope} envelope
 * @param {Record<string, string>} names
 * @returns {Relayed}
 */
function parseEnvelope({ device, operations_json: text, signature }, names) {
  try {
    const claims = JSON.parse(text);
    const fits = claims.device === device && typeof signature === "string" && typeof claims.operation.id === "string";
    if (!fits || !TIME.test(claims.noted) || !Number.isSafeInteger(claims.sequence)) throw new InvalidBundle("malformed envelope");
    const from = typeof names[device] === "string" ? names[device] : "";
    return { device, operations_json: text, signature, id: claims.operation.id, from, sequence: claims.sequence, taken: Date.now(), state: "waiting", receipt: null };
  } catch (error) {
    throw error instanceof InvalidBundle ? error : new InvalidBundle(error.message);
  }
}

/** Return all envelopes, those of each phone in the order in which it made the entries. */
export async function list() {
  const all = await (await open()).getAll("carried");
  return all.sort((a, b) => (a.device === b.device ? a.sequence - b.sequence : a.device < b.device ? -1 : 1));
}

export const listWaiting = async () => (await list()).filter(({ state }) => state === "waiting");

export const countWaiting = async () => (await listWaiting()).length;

/**
 * Apply the server's receipts, one for each row in order. Anything that is not a receipt changes nothing.
 * @param {Relayed[]} rows
 * @param {Receipt[]} receipts
 * @returns {Promise<number>} how many the server has now.
 */
export async function applyReceipts(rows, receipts) {
  const work = (await open()).transaction("carried", "readwrite", SAFE);
  let [delivered, refused] = [0, 0];
  for (const [place, { device, operations_json: text, id }] of rows.entries()) {
    const receipt = receipts[place];
    const row = await work.store.get([device, text]);
    if (row?.state !== "waiting" || typeof receipt?.outcome !== "string") continue;
    if (ACCEPTED_OUTCOMES.has(receipt.outcome) && receipt.id === id) {
      work.store.put({ ...row, state: "delivered", receipt, acknowledged: Date.now() });
      delivered += 1;
      if (!RECORDED_OUTCOMES.has(receipt.outcome)) refused += 1;
    } else if (receipt.outcome !== NOT_YET && !ACCEPTED_OUTCOMES.has(receipt.outcome)) work.store.put({ ...row, state: "stopped", receipt });
    else work.store.put({ ...row, receipt });
  }
  await work.done;
  broadcast(refused ? "refused" : "settled");
  return delivered;
}

/**
 * Record that the server fails on these but accepts others. After a few failures they are not sent automatically.
 * @param {Relayed[]} rows
 */
export async function recordFailures(rows) {
  if (!rows.length) return;
  const work = (await open()).transaction("carried", "readwrite", SAFE);
  for (const { device, operations_json: text } of rows) {
    const row = await work.store.get([device, text]);
    if (row?.state !== "waiting") continue;
    const failures = (row.failures ?? 0) + 1;
    if (failures < MAX_FAILURES) work.store.put({ ...row, failures });
    else work.store.put({ ...row, failures: 0, state: "stopped", receipt: FAILED });
  }
  await work.done;
  broadcast("settled");
}

/** Retry what the server did not accept: the obstacle may have been removed. */
export async function retry() {
  const work = (await open()).transaction("carried", "readwrite", SAFE);
  for (const row of await work.store.getAll()) if (row.state === "stopped") work.store.put({ ...row, state: "waiting" });
  await work.done;
  broadcast("taken");
}

/**
 * Delete envelopes that were delivered before the copy of the ride here was requested.
 * @param {number} asked when it was.
 */
export async function prune(asked) {
  const work = (await open()).transaction("carried", "readwrite");
  for (const row of await work.store.getAll()) {
    if (row.state === "delivered" && row.acknowledged !== undefined && row.acknowledged < asked) work.store.delete([row.device, row.operations_json]);
  }
  await work.done;
}

/**
 * Return the operations that the engine has to replay: relayed ones are merged with this phone's own, by the time they
 * were made. The order of each phone's own operations does not change.
 * @param {Replay} own
 * @param {number} asked when the copy of the ride was requested.
 * @returns {Promise<Replay>}
 */
export async function addRelayed({ operations, times }, asked) {
  const all = (await list()).filter(({ state, acknowledged, receipt }) => (
    state !== "delivered" || ((acknowledged ?? 0) >= asked && RECORDED_OUTCOMES.has(receipt?.outcome ?? ""))
  ));
  const queues = new Map([["", operations.map((body) => ({ body, noted: times[body.id] }))]]);
  for (const { device, operations_json: text } of all) {
    const { operation, noted } = JSON.parse(text);
    queues.set(device, [...(queues.get(device) ?? []), { body: operation, noted }]);
  }
  const merged = [];
  for (let left = [...queues.values()].filter((queue) => queue.length); left.length; left = left.filter((queue) => queue.length)) {
    merged.push(...left.reduce((first, queue) => (queue[0].noted < first[0].noted ? queue : first)).splice(0, 1));
  }
  return {
    operations: merged.map(({ body }) => body),
    times: Object.fromEntries(merged.map(({ body, noted }) => [body.id, noted])),
  };
}

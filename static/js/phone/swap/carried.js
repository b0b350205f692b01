// What this phone carries for others: envelopes as their own phones have signed them. One leaves the phone only after the
// server's receipt, and once the copy of the ride here contains it.
//
// States: `waiting` to be delivered; `delivered`, the server has it; `stopped`, the server does not take it from here, and
// it is kept.

import { COUNTS, TAKEN_IN } from "../outbox.js";
import { open, SAFE } from "../store.js";
import { BadBundle } from "./bundle.js";

export const MOST = 100; // delivered at once
const MOST_FAILURES = 3; // of the server on one envelope, before somebody has to look at it
const FAILED = { outcome: "failed", problems: [], entries: [] };
const AGAIN = "not_yet";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const channel = new BroadcastChannel("tailgunner-carried");
channel.addEventListener("message", ({ data }) => announce(data));

function announce(what) {
  document.dispatchEvent(new CustomEvent("phone:carried", { detail: { what } }));
}

function tell(what) {
  announce(what);
  channel.postMessage(what);
}

/**
 * Take along what another phone has handed over; done when it is on the disk.
 * @returns {Promise<{taken: Object<string, number>, known: number}>} by the names of the owners how much is new here.
 */
export async function take({ names, envelopes }) {
  const rows = envelopes.map((one) => read(one, names));
  const work = (await open()).transaction(["carried", "operations"], "readwrite", SAFE);
  const told = { taken: {}, known: 0 };
  for (const row of rows) {
    const before = await work.objectStore("carried").get([row.device, row.operations_json]);
    const isOwn = await work.objectStore("operations").index("id").getKey(row.id);
    if (isOwn || (before && before.state !== "stopped")) told.known += 1;
    else {
      work.objectStore("carried").put(row);
      told.taken[row.from] = (told.taken[row.from] ?? 0) + 1;
    }
  }
  await work.done;
  tell("taken");
  return told;
}

// Only the server can tell whether a signature is right; here it is looked at whether this is an envelope at all.
function read({ device, operations_json: text, signature }, names) {
  try {
    const said = JSON.parse(text);
    const fits = said.device === device && typeof signature === "string" && typeof said.operation.id === "string";
    if (!fits || !TIME.test(said.noted) || !Number.isSafeInteger(said.sequence)) throw new BadBundle("an envelope is none");
    const from = typeof names[device] === "string" ? names[device] : "";
    return { device, operations_json: text, signature, id: said.operation.id, from, sequence: said.sequence, taken: Date.now(), state: "waiting", receipt: null };
  } catch (error) {
    throw error instanceof BadBundle ? error : new BadBundle(error.message);
  }
}

/** Return all that is carried: of each phone in the order in which it noted it. */
export async function list() {
  const all = await (await open()).getAll("carried");
  return all.sort((one, other) => (one.device === other.device ? one.sequence - other.sequence : one.device < other.device ? -1 : 1));
}

export const listWaiting = async () => (await list()).filter(({ state }) => state === "waiting");

export const countWaiting = async () => (await listWaiting()).length;

/**
 * Take the server's receipts, one for each of these in their order; what is none leaves all as it is.
 * @returns {Promise<number>} how many the server has now.
 */
export async function settle(rows, receipts) {
  const work = (await open()).transaction("carried", "readwrite", SAFE);
  let [delivered, refused] = [0, 0];
  for (const [place, { device, operations_json: text, id }] of rows.entries()) {
    const receipt = receipts[place];
    const row = await work.store.get([device, text]);
    if (row?.state !== "waiting" || typeof receipt?.outcome !== "string") continue;
    if (TAKEN_IN.has(receipt.outcome) && receipt.id === id) {
      work.store.put({ ...row, state: "delivered", receipt, acknowledged: Date.now() });
      delivered += 1;
      if (!COUNTS.has(receipt.outcome)) refused += 1;
    } else if (receipt.outcome !== AGAIN && !TAKEN_IN.has(receipt.outcome)) work.store.put({ ...row, state: "stopped", receipt });
    else work.store.put({ ...row, receipt });
  }
  await work.done;
  tell(refused ? "refused" : "settled");
  return delivered;
}

/** Note that the server fails on these, and takes others. After a few times they are kept and not sent by themselves. */
export async function noteFailing(rows) {
  if (!rows.length) return;
  const work = (await open()).transaction("carried", "readwrite", SAFE);
  for (const { device, operations_json: text } of rows) {
    const row = await work.store.get([device, text]);
    if (row?.state !== "waiting") continue;
    const failures = (row.failures ?? 0) + 1;
    if (failures < MOST_FAILURES) work.store.put({ ...row, failures });
    else work.store.put({ ...row, failures: 0, state: "stopped", receipt: FAILED });
  }
  await work.done;
  tell("settled");
}

/** Have another try at what the server did not take: somebody may have changed what stood in the way. */
export async function retry() {
  const work = (await open()).transaction("carried", "readwrite", SAFE);
  for (const row of await work.store.getAll()) if (row.state === "stopped") work.store.put({ ...row, state: "waiting" });
  await work.done;
  tell("taken");
}

/** Let go of what was delivered before the copy of the ride here was asked for, at `asked`. */
export async function prune(asked) {
  const work = (await open()).transaction("carried", "readwrite");
  for (const row of await work.store.getAll()) {
    if (row.state === "delivered" && row.acknowledged < asked) work.store.delete([row.device, row.operations_json]);
  }
  await work.done;
}

/**
 * Return what the engine is to do again, with what is carried among this phone's own by the time it was noted; the order
 * of what one phone has noted stays as it is.
 * @param {{operations: object[], times: Object<string, string>}} own
 */
export async function addCarried({ operations, times }, asked) {
  const all = (await list()).filter(({ state, acknowledged, receipt }) => (
    state !== "delivered" || (acknowledged >= asked && COUNTS.has(receipt.outcome))
  ));
  const queues = new Map([["", operations.map((body) => ({ body, noted: times[body.id] }))]]);
  for (const { device, operations_json: text } of all) {
    const { operation, noted } = JSON.parse(text);
    queues.set(device, [...(queues.get(device) ?? []), { body: operation, noted }]);
  }
  const merged = [];
  for (let left = [...queues.values()].filter((queue) => queue.length); left.length; left = left.filter((queue) => queue.length)) {
    merged.push(left.reduce((first, queue) => (queue[0].noted < first[0].noted ? queue : first)).shift());
  }
  return {
    operations: merged.map(({ body }) => body),
    times: Object.fromEntries(merged.map(({ body, noted }) => [body.id, noted])),
  };
}

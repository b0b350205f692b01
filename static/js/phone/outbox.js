// The outbox: the entries made on this phone, in order, from the tap to the server's receipt. A receipt is stored with
// its operation: its hashes are evidence, outside the server, of what the server's log has to contain.
//
// States (data): `waiting` is pending; `sent` is recorded by the server and counts; `attention` either does not count
// as entered, or will never be accepted; `aside` was dismissed from "need attention". The organiser's `decision` moves
// an entry between these states.

import { open, SAFE } from "./store.js";

export const MAX_BATCH = 100; // operations per request
const MAX_FAILURES = 3; // of the server on one entry, before it needs attention
export const RECORDED_OUTCOMES = new Set(["recorded", "merged"]);
const NOT_YET = "not_yet";
const FOR_REVIEW = "review"; // it arrived after this phone was signed out
const IN_REVIEW_OUTCOMES = new Set(["conflict", "refused", "late", FOR_REVIEW]); // the organiser decides
const ACCEPTED_DECISIONS = new Set(["apply", "other_slot"]); // decisions that make an entry count
/** @type {Receipt} */
const FAILED = { outcome: "failed", problems: [], entries: [] };
export const ACCEPTED_OUTCOMES = new Set([...RECORDED_OUTCOMES, ...IN_REVIEW_OUTCOMES]);

const channel = new BroadcastChannel("tailgunner-outbox");
channel.addEventListener("message", ({ data }) => announce(data.what, true));

/**
 * Tell the scripts of this page what has happened.
 * @param {OutboxChange} what
 * @param {boolean} isElsewhere whether it happened on another page.
 */
function announce(what, isElsewhere) {
  document.dispatchEvent(new CustomEvent("phone:outbox", { detail: { what, isElsewhere } }));
}

/** @param {OutboxChange} what */
function broadcast(what) {
  announce(what, false);
  channel.postMessage({ what });
}

/**
 * Store operations, all or none. Resolves when they are on disk.
 * @param {OperationBody[]} bodies
 * @param {EntrySource} about
 * @param {number} [tap] the tap that these operations replace.
 */
export async function storeOperations(bodies, { label, path, form, owner }, tap) {
  const work = (await open()).transaction(["operations", "taps"], "readwrite", SAFE);
  const operations = work.objectStore("operations");
  for (const body of bodies) {
    if (await operations.index("id").getKey(body.id)) continue; // the same page sent twice is one entry
    await add(operations, { id: body.id, body, label, path, form, owner, state: "waiting", noted: Date.now(), tried: 0, receipt: null });
  }
  if (tap !== undefined) work.objectStore("taps").delete(tap);
  await work.done;
  broadcast("kept");
}

/**
 * Store an entry that cannot be sent at all, so that the user is told.
 * @param {EntrySource} about
 * @param {string} message why.
 * @param {number} [tap] the tap that this entry replaces.
 */
export async function storeUnsendable({ label, path, form, owner }, message, tap) {
  const work = (await open()).transaction(["operations", "taps"], "readwrite", SAFE);
  /** @type {Receipt} */
  const receipt = { outcome: "unsent", problems: [{ message }], entries: [] };
  const id = crypto.randomUUID();
  await add(work.objectStore("operations"), { id, body: null, label, path, form, owner, state: "attention", noted: Date.now(), receipt });
  if (tap !== undefined) work.objectStore("taps").delete(tap);
  await work.done;
  broadcast("kept");
}

/**
 * Add an operation; the database numbers it.
 * @param {{add: (operation: Operation) => Promise<unknown>}} operations
 * @param {Omit<WaitingOperation, "seq"> | Omit<SettledOperation, "seq">} operation
 */
const add = (operations, operation) => operations.add(/** @type {Operation} */ (operation));

/** Return pending operations, oldest first, starting after a running number. */
export async function listWaiting(after = 0, limit = MAX_BATCH) {
  const all = await listByState("waiting");
  return all.filter(({ seq }) => seq > after).slice(0, limit);
}

export const listAttention = () => listByState("attention");

/** Return the slots and bikes of the turns that were recorded on this phone, oldest first. */
export async function listEnteredTurns() {
  const all = await (await open()).getAll("operations");
  return all.flatMap(({ body }) => body?.slot ? [{ slot: body.slot, bike: body.bike }] : []);
}

/** Return the operations that needed attention when the server answered, whatever became of them since. */
export async function listNotAccepted() {
  /** @type {SettledOperation[]} */
  const settled = (await Promise.all(/** @type {const} */ (["attention", "aside", "sent"]).map(listByState))).flat();
  return settled.filter(({ receipt }) => !RECORDED_OUTCOMES.has(receipt.outcome));
}

/**
 * Return whether an operation is a member's own; operations from before owners were stored belong to every member.
 * @param {{owner?: Owner | null}} operation
 * @param {string} [member]
 */
export const belongsTo = ({ owner }, member) => !owner || (Boolean(member) && owner.member === member);

/**
 * Return the operations with a state.
 * @template {OperationState} S
 * @param {S} state
 */
const listByState = async (state) => (
  /** @type {(S extends "waiting" ? WaitingOperation : SettledOperation)[]} */ (await (await open()).getAllFromIndex("operations", "state", state))
);

/** Return how many are pending, need attention and are sent. */
export async function count() {
  const work = (await open()).transaction("operations");
  const states = work.store.index("state");
  const [waiting, attention, sent] = await Promise.all([states.count("waiting"), states.count("attention"), states.count("sent")]);
  return { waiting, attention, sent };
}

/** Return whether any pending operation had been acknowledged before the server lost it. */
export const hasRequeued = async () => (await listByState("waiting")).some(({ isAgain }) => isAgain);

/**
 * Return whether an operation was made for an event; those from before owners were stored are for every event.
 * @param {Operation} operation
 * @param {string} [event]
 */
const isFor = ({ owner }, event) => !owner?.event || owner.event === event;

/**
 * Return how many entries for an event the server lacks: the pending ones, and those that it did not accept.
 * @param {string} [event]
 * @returns {Promise<Unrecorded>}
 */
export async function countUnrecorded(event) {
  const [waiting, attention] = await Promise.all([listByState("waiting"), listAttention()]);
  const unaccepted = attention.filter((operation) => isFor(operation, event) && !ACCEPTED_OUTCOMES.has(operation.receipt.outcome));
  return { unsent: waiting.filter((operation) => isFor(operation, event)).length, attention: unaccepted.length };
}

/** Return how many entries the organiser has to review because they arrived after this phone was signed out. */
export async function countForReview() {
  return (await listAttention()).filter(({ receipt }) => receipt.outcome === FOR_REVIEW).length;
}

/** @param {string} id */
export const find = async (id) => (await open()).getFromIndex("operations", "id", id);

/**
 * Return the operations that a copy of the ride cannot contain yet, and when they were made.
 * @param {number} asked when the copy was requested, by this phone's clock.
 * @param {string} event of the copy: what was made for another one is not replayed on it.
 * @returns {Promise<Replay>}
 */
export async function listMissing(asked, event) {
  const [waiting, sent] = await Promise.all([listByState("waiting"), listByState("sent")]);
  const fresh = sent.filter(({ acknowledged = 0 }) => acknowledged >= asked);
  const missing = [...waiting, ...fresh].filter((operation) => isFor(operation, event)).sort((a, b) => a.seq - b.seq);
  return {
    operations: missing.flatMap(({ body }) => body ?? []),
    times: Object.fromEntries(missing.map(({ id, noted }) => [id, new Date(noted).toISOString()])),
  };
}

/**
 * Apply the server's receipts. Receipts without the id of a pending operation are ignored.
 * @param {Receipt[]} receipts
 * @param {boolean} isRelayed whether they were sent as a former device's; those not accepted now may be accepted later.
 * @param {string} [device] under which they were sent; after rejoining, not the one under which they were made.
 * @returns {Promise<number>} how many operations are no longer pending.
 */
export async function applyReceipts(receipts, isRelayed = false, device = undefined) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  let settled = 0;
  let refused = 0;
  for (const receipt of receipts) {
    const key = typeof receipt?.id === "string" ? await work.store.index("id").getKey(receipt.id) : undefined;
    if (key === undefined || typeof receipt.outcome !== "string") continue;
    const operation = await work.store.get(key);
    if (operation?.state !== "waiting") continue;
    if (receipt.outcome === NOT_YET) {
      work.store.put({ ...operation, tried: (operation.tried ?? 0) + 1, receipt });
      continue;
    }
    const state = RECORDED_OUTCOMES.has(receipt.outcome) ? "sent" : "attention";
    const isUnproven = isRelayed && !ACCEPTED_OUTCOMES.has(receipt.outcome);
    const former = (operation.former ?? []).filter(({ entries }) => JSON.stringify(entries) !== JSON.stringify(receipt.entries));
    work.store.put({ ...operation, state, receipt, former, device: device ?? operation.owner?.device, isUnproven, acknowledged: Date.now() });
    settled += 1;
    if (state === "attention") refused += 1;
  }
  await work.done;
  if (settled) broadcast(refused ? "refused" : "settled");
  return settled;
}

/**
 * Record that the server fails on these operations but accepts others. After a few failures they need attention.
 * @param {WaitingOperation[]} operations
 * @param {boolean} isRelayed as for `applyReceipts`.
 */
export async function recordFailures(operations, isRelayed = false) {
  if (!operations.length) return;
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  for (const { seq } of operations) {
    const operation = await work.store.get(seq);
    if (operation?.state !== "waiting") continue;
    const failures = (operation.failures ?? 0) + 1;
    if (failures < MAX_FAILURES) work.store.put({ ...operation, failures });
    else work.store.put({ ...operation, failures: 0, state: "attention", receipt: FAILED, isUnproven: isRelayed, acknowledged: Date.now() });
  }
  await work.done;
  broadcast("refused");
}

/**
 * Make an operation pending again after the server failed on it.
 * @param {number} seq
 */
export async function requeue(seq) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  const operation = await work.store.get(seq);
  if (operation?.state === "attention" && operation.body) work.store.put({ ...operation, body: operation.body, state: "waiting", receipt: null });
  await work.done;
  broadcast("again");
}

/**
 * Make unproven operations of a member pending again: the phone is theirs now, so no proof is needed.
 * @param {string} member
 */
export async function requeueProven(member) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  for (const operation of await work.store.index("state").getAll("attention")) {
    if (operation.isUnproven && operation.body && belongsTo(operation, member)) work.store.put({ ...operation, body: operation.body, state: "waiting", isUnproven: false, receipt: null });
  }
  await work.done;
}

/**
 * Dismiss an operation that needed attention. It stays in the database.
 * @param {number} seq
 */
export async function dismiss(seq) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  const operation = await work.store.get(seq);
  if (operation?.state === "attention") work.store.put({ ...operation, state: "aside" });
  await work.done;
  broadcast("aside");
}

/**
 * Return a member's operations at an event that the server accepted before `asked`, with their `device` as in
 * `applyReceipts`.
 * @param {Pick<Owner, "member" | "event">} owner
 * @param {number} asked
 */
export async function listAcknowledged({ member, event }, asked) {
  const all = await (await open()).getAll("operations");
  return all.flatMap((operation) => {
    const { device, owner, acknowledged, state, receipt } = operation;
    const isAccepted = state !== "waiting" && ACCEPTED_OUTCOMES.has(receipt.outcome);
    const isOwn = owner?.member === member && owner.event === event;
    return device && isAccepted && isOwn && acknowledged !== undefined && acknowledged < asked ? [{ ...operation, device }] : [];
  });
}

/**
 * Make entries pending again that the server has lost. Their receipts are kept in `former`, as evidence of the log.
 * @param {Operation[]} lost
 */
export async function requeueLost(lost) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  for (const { seq } of lost) {
    const operation = await work.store.get(seq);
    if (!operation?.body || operation.state === "waiting") continue; // another page has done it already
    const { decision: _, body, ...rest } = operation;
    const former = [...(operation.former ?? []), operation.receipt];
    work.store.put({ ...rest, body, state: "waiting", receipt: null, former, isAgain: true });
  }
  await work.done;
  broadcast("kept");
}

/**
 * Apply the organiser's decisions about entries that went to review. An accepted entry counts. An entry that was not
 * accepted, or that needs a decision (again), needs attention unless the user has dismissed it.
 * @param {Record<string, string>} decisions by the server's ids of the entries; "" means no decision yet.
 */
export async function applyDecisions(decisions) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  let isChanged = false;
  for (const operation of await work.store.getAll()) {
    if (operation.state === "waiting" || !ACCEPTED_OUTCOMES.has(operation.receipt.outcome)) continue;
    const decision = decisions[operation.receipt.operation ?? operation.id];
    if (decision === undefined) continue;
    const state = ACCEPTED_DECISIONS.has(decision) ? "sent" : operation.state === "aside" ? "aside" : "attention";
    if (state === operation.state && decision === (operation.decision ?? "")) continue;
    work.store.put({ ...operation, state, decision });
    isChanged = true;
  }
  await work.done;
  if (isChanged) broadcast("decided");
}

// --- taps that could not be handled yet ---

const TAP_OVERDUE = 3_000; // most are handled sooner, and not worth showing

/**
 * Store a tap as it is; return its number. It replaces an earlier tap on the same form.
 * @param {EngineRequest} request
 * @param {string} label
 * @param {Owner | null} [owner]
 */
export async function storeTap(request, label, owner) {
  const work = (await open()).transaction("taps", "readwrite", SAFE);
  const operation = readOperation(request);
  for (const before of operation ? await work.store.getAll() : []) {
    if (readOperation(before.request) === operation) work.store.delete(before.number);
  }
  const number = await work.store.add(/** @type {Tap} */ ({ request, label, owner, noted: Date.now() }));
  await work.done;
  setTimeout(() => broadcast("tap"), TAP_OVERDUE);
  return number;
}

/** @param {EngineRequest} request */
const readOperation = ({ body }) => new URLSearchParams(body).get("operation");

/** @param {number} number */
export const getTap = async (number) => (await open()).get("taps", number);
export const listTaps = async () => (await open()).getAll("taps");
export const listOverdueTaps = async () => (await listTaps()).filter(({ noted }) => Date.now() - noted >= TAP_OVERDUE);
/** @param {number} number */
export const deleteTap = async (number) => (await open()).delete("taps", number);

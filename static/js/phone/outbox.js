// What was noted on this phone, in its order, from the tap to the server's receipt. A receipt stays with its operation:
// its hashes witness from outside what the server's log has to hold.
//
// States: `waiting` to be sent; `sent`, the server has it and it counts; `attention`, the server has it and it does not
// count as noted, or will never take it; `aside`, such a one that somebody has seen to. The organiser's `decision` moves an
// entry between them.

import { open, SAFE } from "./store.js";

export const MOST = 100; // sent at once
const MOST_FAILURES = 3; // of the server on one entry, before somebody has to look at it
export const COUNTS = new Set(["recorded", "merged"]);
const AGAIN = "not_yet";
const FOR_REVIEW = "review"; // it came after this phone was signed out
const WITH_THE_SERVER = new Set(["conflict", "refused", "late", FOR_REVIEW]); // where the organiser settles them
const ACCEPTED = new Set(["apply", "other_slot"]); // decisions by which an entry counts
const FAILED = { outcome: "failed", problems: [], entries: [] };
export const TAKEN_IN = new Set([...COUNTS, ...WITH_THE_SERVER]);

const channel = new BroadcastChannel("tailgunner-outbox");
channel.addEventListener("message", ({ data }) => announce({ ...data, isElsewhere: true }));

function announce(detail) {
  document.dispatchEvent(new CustomEvent("phone:outbox", { detail }));
}

function tell(what) {
  announce({ what, isElsewhere: false });
  channel.postMessage({ what });
}

/**
 * Keep operations, all or none; done when they are on the disk.
 * @param {object[]} bodies as POST /api/v1/operations takes them.
 * @param {{label: string, path: string, owner: object}} about in words what was noted, on which page, and by whom.
 * @param {number} [tap] the tap that became these, which is done with.
 */
export async function keep(bodies, { label, path, owner }, tap) {
  const work = (await open()).transaction(["operations", "taps"], "readwrite", SAFE);
  const operations = work.objectStore("operations");
  for (const body of bodies) {
    if (await operations.index("id").getKey(body.id)) continue; // the same page sent twice is one note
    operations.add({ id: body.id, body, label, path, owner, state: "waiting", noted: Date.now(), tried: 0, receipt: null });
  }
  if (tap !== undefined) work.objectStore("taps").delete(tap);
  await work.done;
  tell("kept");
}

/** Keep something that cannot be sent at all, so that whoever noted it is told. */
export async function keepUnsendable({ label, path, owner }, message, tap) {
  const work = (await open()).transaction(["operations", "taps"], "readwrite", SAFE);
  const receipt = { outcome: "unsent", problems: [{ message }], entries: [] };
  const id = crypto.randomUUID();
  work.objectStore("operations").add({ id, body: null, label, path, owner, state: "attention", noted: Date.now(), receipt });
  if (tap !== undefined) work.objectStore("taps").delete(tap);
  await work.done;
  tell("kept");
}

/** Return operations that wait, the oldest first, from the one after a running number. */
export async function listWaiting(after = 0, most = MOST) {
  const all = await listByState("waiting");
  return all.filter(({ seq }) => seq > after).slice(0, most);
}

export const listAttention = () => listByState("attention");

/** Whether an operation is a member's own; what was kept before it was kept by whom is anybody's. */
export const isOf = ({ owner }, member) => !owner || (Boolean(member) && owner.member === member);
const listByState = async (state) => (await open()).getAllFromIndex("operations", "state", state);

/** Return how many wait, need attention and are sent. */
export async function count() {
  const work = (await open()).transaction("operations");
  const states = work.store.index("state");
  const [waiting, attention, sent] = await Promise.all(["waiting", "attention", "sent"].map((state) => states.count(state)));
  return { waiting, attention, sent };
}

/** Return whether any that waits was acknowledged once, before the server lost it. */
export const hasLost = async () => (await listByState("waiting")).some(({ isAgain }) => isAgain);

/** Return what this phone holds that the server does not: what waits, and what it would not take. */
export async function countHeld() {
  const { waiting } = await count();
  const attention = await listAttention();
  return { unsent: waiting, attention: attention.filter(({ receipt }) => !TAKEN_IN.has(receipt.outcome)).length };
}

/** Return how many entries the organiser has to review because they came after this phone was signed out. */
export async function countForReview() {
  return (await listAttention()).filter(({ receipt }) => receipt.outcome === FOR_REVIEW).length;
}

export const find = async (id) => (await open()).getFromIndex("operations", "id", id);

/** Return what a copy of the ride asked for at `asked` (by this phone's clock) cannot hold yet, and when it was noted. */
export async function listMissing(asked) {
  const [waiting, sent] = await Promise.all([listByState("waiting"), listByState("sent")]);
  const fresh = sent.filter(({ acknowledged }) => acknowledged >= asked);
  const missing = [...waiting, ...fresh].sort((one, other) => one.seq - other.seq);
  return {
    operations: missing.map(({ body }) => body),
    times: Object.fromEntries(missing.map(({ id, noted }) => [id, new Date(noted).toISOString()])),
  };
}

/**
 * Take the server's receipts. Only what carries the id of an operation that waits is one.
 * @param {boolean} isCarried whether they were sent as a former device's, so that one that is not taken may be another time.
 * @param {string} device under which they were sent; a phone that was joined anew sends under another than they were made.
 * @returns {Promise<number>} how many operations no longer wait.
 */
export async function settle(receipts, isCarried = false, device = undefined) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  let settled = 0;
  let refused = 0;
  for (const receipt of receipts) {
    const key = typeof receipt?.id === "string" && await work.store.index("id").getKey(receipt.id);
    if (!key || typeof receipt.outcome !== "string") continue;
    const operation = await work.store.get(key);
    if (operation.state !== "waiting") continue;
    if (receipt.outcome === AGAIN) {
      work.store.put({ ...operation, tried: operation.tried + 1, receipt });
      continue;
    }
    const state = COUNTS.has(receipt.outcome) ? "sent" : "attention";
    const isUnproven = isCarried && !TAKEN_IN.has(receipt.outcome);
    const former = (operation.former ?? []).filter(({ entries }) => JSON.stringify(entries) !== JSON.stringify(receipt.entries));
    work.store.put({ ...operation, state, receipt, former, device: device ?? operation.owner?.device, isUnproven, acknowledged: Date.now() });
    settled += 1;
    if (state === "attention") refused += 1;
  }
  await work.done;
  if (settled) tell(refused ? "refused" : "settled");
  return settled;
}

/**
 * Note that the server fails on these, and takes others. After a few times somebody has to look at them.
 * @param {boolean} isCarried as for `settle`.
 */
export async function noteFailing(operations, isCarried = false) {
  if (!operations.length) return;
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  for (const { seq } of operations) {
    const operation = await work.store.get(seq);
    if (operation?.state !== "waiting") continue;
    const failures = (operation.failures ?? 0) + 1;
    if (failures < MOST_FAILURES) work.store.put({ ...operation, failures });
    else work.store.put({ ...operation, failures: 0, state: "attention", receipt: FAILED, isUnproven: isCarried, acknowledged: Date.now() });
  }
  await work.done;
  tell("refused");
}

/** Have one that the server failed on wait again. */
export async function sendAgain(seq) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  const operation = await work.store.get(seq);
  if (operation?.state === "attention") work.store.put({ ...operation, state: "waiting", receipt: null });
  await work.done;
  tell("again");
}

/** Have what could not be proven to be a member's own wait again: now that the phone is theirs, it is sent as it is. */
export async function takeUp(member) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  for (const operation of await work.store.index("state").getAll("attention")) {
    if (operation.isUnproven && isOf(operation, member)) work.store.put({ ...operation, state: "waiting", isUnproven: false, receipt: null });
  }
  await work.done;
}

/** Note that somebody has seen to one that needed attention; it is kept. */
export async function setAside(seq) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  const operation = await work.store.get(seq);
  if (operation?.state === "attention") work.store.put({ ...operation, state: "aside" });
  await work.done;
  tell("aside");
}

/** Return what of a member's at an event the server had taken in when it was asked, at `asked`; see `settle` for `device`. */
export async function listAcknowledged({ member, event }, asked) {
  const all = await (await open()).getAll("operations");
  const isTakenIn = ({ state, receipt }) => state !== "waiting" && TAKEN_IN.has(receipt?.outcome);
  return all.filter((one) => one.device && isTakenIn(one) && one.acknowledged < asked && one.owner?.member === member && one.owner.event === event);
}

/** Have entries wait again that the server has lost. Their receipts stay as `former`: they witness what the log held. */
export async function sendLostAgain(lost) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  for (const { seq } of lost) {
    const { decision, ...operation } = await work.store.get(seq);
    if (operation.state === "waiting") continue; // another page was faster
    const former = [...(operation.former ?? []), operation.receipt];
    work.store.put({ ...operation, state: "waiting", receipt: null, former, isAgain: true });
  }
  await work.done;
  tell("kept");
}

/**
 * Take the organiser's decisions about entries that went to review. One that was accepted counts; one that was not, or that
 * needs a decision (again), needs attention unless somebody has seen to it.
 * @param {Object<string, string>} decisions by the ids that the server knows the entries under; "" is none yet.
 */
export async function takeDecisions(decisions) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  let isChanged = false;
  for (const operation of await work.store.getAll()) {
    const decision = decisions[operation.receipt?.operation ?? operation.id];
    if (decision === undefined || operation.state === "waiting" || !TAKEN_IN.has(operation.receipt?.outcome)) continue;
    const state = ACCEPTED.has(decision) ? "sent" : operation.state === "aside" ? "aside" : "attention";
    if (state === operation.state && decision === (operation.decision ?? "")) continue;
    work.store.put({ ...operation, state, decision });
    isChanged = true;
  }
  await work.done;
  if (isChanged) tell("decided");
}

// --- taps that nobody could judge yet ---

const TAP_WAITS = 3_000; // most are judged at once, and not worth telling of

/** Keep a tap as it is; return its number. It takes the place of one on the same form, which was tapped again. */
export async function keepTap(request, label, owner) {
  const work = (await open()).transaction("taps", "readwrite", SAFE);
  const operation = readOperation(request);
  for (const before of operation ? await work.store.getAll() : []) {
    if (readOperation(before.request) === operation) work.store.delete(before.number);
  }
  const number = await work.store.add({ request, label, owner, noted: Date.now() });
  await work.done;
  setTimeout(() => tell("tap"), TAP_WAITS);
  return number;
}

const readOperation = ({ body }) => new URLSearchParams(body).get("operation");

export const getTap = async (number) => (await open()).get("taps", number);
export const listTaps = async () => (await open()).getAll("taps");
export const listLateTaps = async () => (await listTaps()).filter(({ noted }) => Date.now() - noted >= TAP_WAITS);
export const dropTap = async (number) => (await open()).delete("taps", number);

// What was noted on this phone, in its order, from the tap to the server's receipt. A receipt stays with its operation:
// its hashes witness from outside what the server's log has to hold.
//
// States: `waiting` to be sent; `sent`, the server has it and it counts; `attention`, the server has it and it does not
// count as noted, or will never take it; `aside`, such a one that somebody has seen to.

import { open, SAFE } from "./store.js";

export const MOST = 100; // sent at once
const COUNTS = new Set(["recorded", "merged"]);
const AGAIN = "not_yet";
const WITH_THE_SERVER = new Set(["conflict", "refused", "late"]); // where the organiser settles them
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

/** Return how many wait, and how many need attention. */
export async function count() {
  const work = (await open()).transaction("operations");
  const states = work.store.index("state");
  const [waiting, attention, sent] = await Promise.all(["waiting", "attention", "sent"].map((state) => states.count(state)));
  return { waiting, attention, sent };
}

/** Return what this phone holds that the server does not: what waits, and what it would not take. */
export async function countHeld() {
  const { waiting } = await count();
  const attention = await listAttention();
  return { unsent: waiting, attention: attention.filter(({ receipt }) => !WITH_THE_SERVER.has(receipt.outcome)).length };
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
 * @returns {Promise<number>} how many operations no longer wait.
 */
export async function settle(receipts, isCarried = false) {
  const work = (await open()).transaction("operations", "readwrite", SAFE);
  let settled = 0;
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
    work.store.put({ ...operation, state, receipt, isUnproven, acknowledged: Date.now() });
    settled += 1;
  }
  await work.done;
  if (settled) tell("settled");
  return settled;
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

// --- taps that nobody could judge yet ---

export async function keepTap(request, label, owner) {
  const work = (await open()).transaction("taps", "readwrite", SAFE);
  const number = await work.store.add({ request, label, owner, noted: Date.now() });
  await work.done;
  return number;
}

export const listTaps = async () => (await open()).getAll("taps");
export const dropTap = async (number) => (await open()).delete("taps", number);

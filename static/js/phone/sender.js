// Sends pending entries in order until none are left: when a page opens, when an entry is made, when the network or the
// page comes back, and otherwise after a pause that grows. If several pages are open, only one sends at a time.
//
// - Only a JSON reply from our server that contains the id of an operation acknowledges that operation. Any other reply
//   changes nothing.
// - Entries sent here are recorded in the name of the crew member to whom the phone belongs, so only their own are
//   sent. Entries from when the phone belonged to someone else are delivered by `signed_delivery.js`; while the phone's
//   owner is unknown, they stay pending.
// - Entries from before this phone switched to the practice, or back to the ride, are sent as the device that made them:
//   each request names its device, and the phone has the cookies of both. Entries for a practice that has been started
//   over can reach nobody, so they are shown under "need attention".
// - If the ride was deleted, its entries stay pending. They are not sent again until a page is opened or someone asks for
//   it: the ride comes back only with a backup.
// - If the phone has been signed out meanwhile, its entries go to the organiser's review, also by `signed_delivery.js`.

import { sendBisecting, throwIfFailed, throwIfRefused, Unsendable } from "./batches.js";
import { Backoff } from "./backoff.js";
import { recordClockOffset } from "./clock.js";
import { contact } from "./link.js";
import { deliverForFormerOwners, deliverToReview } from "./signed_delivery.js";
import { applyReceipts, belongsTo, countUnrecorded, listWaiting, recordFailures, requeueProven } from "./outbox.js";
import { describeMemory, MEMORY_HEADER, recordTold } from "./memory.js";
import { DEVICE_HEADER, getOwner, isOtherDevice } from "./owner.js";
import { getFact, setFact } from "./store.js";
import { deleteUnneededKeys, isKeyKnown } from "./swap/signing.js";
import { languageHeader } from "./text.js";

const ADDRESS = "/api/v1/operations";
const LOCK = "tailgunner-sender";
const TIMEOUT = 30_000;
const backoff = new Backoff(2_000, 30_000); // milliseconds
const REPORT_INTERVAL = 10 * 60_000;
const DELETED = "deleted";
const PRACTICE_ENDED = "ended";
/** @type {Record<number | string, SenderStatus["how"]>} by the status of a response. */
const REFUSALS = { 401: "signed_out", 409: "not_open", 410: DELETED };

/** @type {SenderStatus} `how` is "away" if the server does not respond, and "deleted" if the ride is. */
export const status = { how: "ok", isSending: false };

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isWanted = false;
let isElsewhere = false; // another page was sending, and does not know what this one wanted

class Stop extends Error {
  /** @param {SenderStatus["how"]} how */
  constructor(how) {
    super(how);
    this.how = how;
  }
}

/** @param {Partial<SenderStatus>} change */
function setStatus(change) {
  Object.assign(status, change);
  document.dispatchEvent(new CustomEvent("phone:sender", { detail: status }));
}

/** Send pending entries now, and from now on whenever there are new ones. */
export function start() {
  window.addEventListener("online", sendNow);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sendNow(); });
  document.addEventListener("phone:outbox", ({ detail }) => { if (["kept", "again"].includes(detail.what)) sendNow(); });
  document.addEventListener("phone:ride", sendNow); // the copy names the phone's owner
  document.addEventListener("phone:link", ({ detail }) => { if (detail.how === "ok" && status.how === "away") sendNow(); });
  sendNow();
}

/** Send now, without waiting for the end of the pause. */
export async function sendNow() {
  clearTimeout(timer);
  isWanted = true;
  if (status.isSending) return;
  setStatus({ isSending: true });
  try {
    while (isWanted) {
      isWanted = false;
      // If another page is sending, leave it to that page; the timer checks again.
      await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
        isElsewhere = !lock;
        if (lock) await drain();
      });
      if ((await listWaiting(0, 1)).length === 0) backoff.reset();
    }
    if (status.how === "away") setStatus({ how: "ok" }); // with nothing to send, nothing has failed
  } catch (error) {
    setStatus({ how: error instanceof Stop ? error.how : "away" });
  } finally {
    setStatus({ isSending: false });
  }
  await planNext();
}

async function planNext() {
  const isDone = !isElsewhere && (await listWaiting(0, 1)).length === 0;
  if (isDone || status.isSending) return; // a run that has started meanwhile sets its own timer
  clearTimeout(timer);
  if (status.how === DELETED) return;
  timer = setTimeout(sendNow, backoff.next());
}

async function drain() {
  const { member } = await getOwner() ?? {};
  if (member) await requeueProven(member);
  // First, since nothing stops them if the practice that this phone is in has been deleted.
  if (member) await forEachBatch(sendElsewhere);
  await forEachBatch(sendOwn);
  await forEachBatch(sendOthers);
  await deleteUnneededKeys();
  await report();
}

/** @param {(batch: WaitingOperation[]) => Promise<void>} work */
async function forEachBatch(work) {
  for (let batch = await listWaiting(); batch.length; batch = await listWaiting(batch[batch.length - 1].seq)) await work(batch);
}

// Entries that were made as the phone's other device, or in a practice that the phone is no longer in.
/** @param {WaitingOperation[]} batch */
async function sendElsewhere(batch) {
  const current = await getOwner();
  const others = batch.filter(({ owner }) => isOtherDevice(owner?.device));
  const ended = batch.filter(({ owner }) => current && owner?.is_practice && owner.event !== current.event && !isOtherDevice(owner.device));
  if (ended.length) await applyReceipts(ended.map(({ id }) => ({ id, outcome: PRACTICE_ENDED, entries: [], problems: [] })));
  const { device, event } = others[0]?.owner ?? {};
  if (!device) return;
  try {
    await recordFailures(await sendBisecting(others, (part) => send(part, device, event), refuse));
  } catch (error) {
    if (!(error instanceof Stop) || error.how === "away") throw error;
    console.info("Entries of this phone’s other device are not sent yet:", error.how);
  }
}

// The owner is read for each batch: another member may sign in meanwhile.
/** @param {WaitingOperation[]} batch */
async function sendOwn(batch) {
  const { member, device, event } = await getOwner() ?? {};
  const own = batch.filter((operation) => belongsTo(operation, member));
  if (own.length === 0) return;
  try {
    await recordFailures(await sendBisecting(own, (part) => send(part, device, event), refuse));
    setStatus({ how: "ok" });
  } catch (error) {
    const isSignedOut = error instanceof Stop && error.how === "signed_out";
    if (!isSignedOut || !await isKeyKnown()) throw error;
    await deliverSigned(deliverToReview, own);
    setStatus({ how: "signed_out" });
  }
}

/** @param {WaitingOperation[]} batch */
async function sendOthers(batch) {
  const { member } = await getOwner() ?? {};
  const others = member ? batch.filter((operation) => !belongsTo(operation, member) && !isOtherDevice(operation.owner?.device)) : [];
  if (others.length === 0) return;
  await deliverSigned(deliverForFormerOwners, others);
  if (status.how !== "signed_out") setStatus({ how: "ok" });
}

/**
 * @param {(operations: WaitingOperation[]) => Promise<number>} deliver returns how many are no longer pending.
 * @param {WaitingOperation[]} operations
 */
async function deliverSigned(deliver, operations) {
  try {
    if (await deliver(operations)) document.dispatchEvent(new CustomEvent("phone:sent"));
  } catch (error) {
    throw new Stop(REFUSALS[error.message] ?? "away");
  }
}

// The organiser sees which phones have sent everything, so a phone with nothing to send reports that as well.
async function report() {
  const { device, event } = await getOwner() ?? {};
  const unrecorded = await countUnrecorded(event);
  const last = await getFact("reported");
  const isKnown = last && last.device === device && last.unsent === unrecorded.unsent && last.attention === unrecorded.attention;
  if (isKnown && Date.now() - last.at < REPORT_INTERVAL) return;
  const answer = await post([], unrecorded, device).catch(() => null); // nothing depends on the report, and it is repeated
  if (answer?.code !== 200) return;
  await recordClockOffset(answer.reply.server_time, answer.started);
  await setFact("reported", { ...unrecorded, device, at: Date.now() });
}

/**
 * Send operations in the name of one of the phone's devices, and apply the receipts.
 * @param {WaitingOperation[]} batch
 * @param {string} [device]
 * @param {string} [event]
 */
async function send(batch, device, event) {
  const unrecorded = await countUnrecorded(event);
  const rest = { ...unrecorded, unsent: Math.max(0, unrecorded.unsent - batch.length) };
  const { code, reply, started } = await post(batch.map(({ body }) => body), rest, device);
  if (code === 200 && Array.isArray(reply.receipts)) {
    await recordClockOffset(reply.server_time, started);
    const receipts = reply.receipts.map((receipt, index) => addId(receipt, batch[index]));
    if (await applyReceipts(receipts, false, device)) document.dispatchEvent(new CustomEvent("phone:sent"));
    return;
  }
  if (REFUSALS[code]) throw new Stop(REFUSALS[code]);
  throwIfRefused(code, reply);
  throw new Stop("away");
}

/**
 * If the server cannot repeat an operation's id, its receipt is found by position. Such a receipt acknowledges nothing.
 * @param {Receipt} receipt
 * @param {WaitingOperation} [operation]
 */
function addId(receipt, operation) {
  return receipt?.outcome === "unreadable" && receipt.id === null && operation ? { ...receipt, id: operation.id } : receipt;
}

/**
 * Sending it again would not help, so it needs attention.
 * @param {WaitingOperation} operation
 * @param {Problem} problem
 */
async function refuse({ id }, problem) {
  await applyReceipts([{ id, outcome: "unreadable", entries: [], problems: [problem] }]);
}

/**
 * @param {OperationBody[]} operations
 * @param {Unrecorded} unrecorded
 * @param {string} [device]
 */
async function post(operations, unrecorded, device) {
  const started = Date.now();
  const answer = await contact(ADDRESS, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...languageHeader(), [MEMORY_HEADER]: await describeMemory(), ...(device && { [DEVICE_HEADER]: device }) },
    body: JSON.stringify({ operations, report: unrecorded }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  throwIfFailed(answer);
  if (answer.status === 413 && operations.length > 1) throw new Unsendable(); // may come from a proxy, as an HTML page
  /** @type {ServerReply | null} */
  const reply = await answer.json(); // anything but JSON counts as no reply
  if (!reply || typeof reply !== "object" || !(reply.receipts || reply.error)) throw new Stop("away");
  if (answer.ok) await recordTold();
  return { code: answer.status, reply, started };
}


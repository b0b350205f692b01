// Sends what waits, in its order, until nothing does: when a page opens, when something was noted, when the network or
// the page comes back, and else after a pause that grows. Of several pages one sends at a time.
//
// Only a reply that is JSON, from our server, with the id of an operation, is an acknowledgement of that operation.
// Whatever else comes leaves everything where it is.
//
// What is sent here is recorded in the name of whoever the phone belongs to, so that is all that they have noted. What
// was noted before, when it was somebody else's, goes another way (`former.js`); while it is not known whose the phone is,
// it waits. What a phone holds that was signed out meanwhile goes to the organiser, by the same way.

import { checkFailed, checkRefused, sendInParts, Unsendable } from "./batches.js";
import { noteClock } from "./clock.js";
import { deliverFormer, deliverForReview } from "./former.js";
import { countHeld, isOf, listWaiting, noteFailing, settle, takeUp } from "./outbox.js";
import { getOwner } from "./owner.js";
import { getFact, setFact } from "./store.js";
import { forgetKeys, isKeyKnown } from "./swap/signing.js";

const ADDRESS = "/api/v1/operations";
const LOCK = "tailgunner-sender";
const LIMIT = 30_000;
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;
const REPORT_AGAIN = 10 * 60_000;
const REFUSALS = { 401: "signed_out", 409: "not_open" };

/** How it goes: "ok", "away" (nobody answers), "signed_out", "not_open". */
export const status = { how: "ok", isSending: false };

let pause = FIRST_PAUSE;
let timer = 0;
let isWanted = false;

class Stop extends Error {
  constructor(how) {
    super(how);
    this.how = how;
  }
}

function tell(change) {
  Object.assign(status, change);
  document.dispatchEvent(new CustomEvent("phone:sender", { detail: status }));
}

/** Start sending whatever there is, now and from now on. */
export function start() {
  window.addEventListener("online", sendNow);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sendNow(); });
  document.addEventListener("phone:outbox", ({ detail }) => { if (["kept", "again"].includes(detail.what)) sendNow(); });
  document.addEventListener("phone:ride", sendNow); // it tells whose phone this is
  sendNow();
}

/** Send at once, however long the pause would still be. */
export async function sendNow() {
  clearTimeout(timer);
  isWanted = true;
  if (status.isSending) return;
  tell({ isSending: true });
  try {
    while (isWanted) {
      isWanted = false;
      // A page that finds another one sending leaves it to that; the timer looks again.
      await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => { if (lock) await drain(); });
    }
    if ((await listWaiting(0, 1)).length === 0) pause = FIRST_PAUSE;
  } catch (error) {
    tell({ how: error instanceof Stop ? error.how : "away" });
  } finally {
    tell({ isSending: false });
  }
  await planNext();
}

async function planNext() {
  const isDone = (await listWaiting(0, 1)).length === 0;
  if (isDone || status.isSending) return; // who has begun anew meanwhile plans for itself
  clearTimeout(timer);
  timer = setTimeout(sendNow, pause * (0.75 + Math.random() / 2));
  pause = Math.min(LONGEST_PAUSE, pause * 2);
}

async function drain() {
  const { member } = await getOwner() ?? {};
  if (member) await takeUp(member);
  await forEachBatch(sendOwn);
  await forEachBatch(sendOthers);
  await forgetKeys();
  await report();
}

async function forEachBatch(work) {
  let after = 0;
  for (let batch = await listWaiting(after); batch.length; batch = await listWaiting(after)) {
    after = batch.at(-1).seq;
    await work(batch);
  }
}

// Whose phone it is is asked each time: somebody may sign in meanwhile.
async function sendOwn(batch) {
  const { member, device } = await getOwner() ?? {};
  const own = batch.filter((one) => isOf(one, member));
  if (own.length === 0) return;
  try {
    await noteFailing(await sendInParts(own, (some) => send(some, device), refuse));
    tell({ how: "ok" });
  } catch (error) {
    const isSignedOut = error instanceof Stop && error.how === "signed_out";
    if (!isSignedOut || !await isKeyKnown()) throw error;
    await deliverSigned(deliverForReview, own);
    tell({ how: "signed_out" });
  }
}

async function sendOthers(batch) {
  const { member } = await getOwner() ?? {};
  const others = member ? batch.filter((one) => !isOf(one, member)) : [];
  if (others.length === 0) return;
  await deliverSigned(deliverFormer, others);
  if (status.how !== "signed_out") tell({ how: "ok" });
}

async function deliverSigned(deliver, operations) {
  try {
    if (await deliver(operations)) document.dispatchEvent(new CustomEvent("phone:sent"));
  } catch (error) {
    throw new Stop(REFUSALS[error.message] ?? "away");
  }
}

// The organiser is to see which phones have sent everything, so one that has nothing to send says so too.
async function report() {
  const held = await countHeld();
  const { device } = await getOwner() ?? {};
  const last = await getFact("reported");
  const isKnown = last && last.device === device && last.unsent === held.unsent && last.attention === held.attention;
  if (isKnown && Date.now() - last.at < REPORT_AGAIN) return;
  const answer = await post([], held).catch(() => null); // nothing depends on it, and it is said again
  if (answer?.code !== 200) return;
  await noteClock(answer.told.server_time, answer.started);
  await setFact("reported", { ...held, device, at: Date.now() });
}

async function send(batch, device) {
  const held = await countHeld();
  const beside = { ...held, unsent: Math.max(0, held.unsent - batch.length) };
  const { code, told, started } = await post(batch.map(({ body }) => body), beside);
  if (code === 200 && Array.isArray(told.receipts)) {
    await noteClock(told.server_time, started);
    const receipts = told.receipts.map((receipt, place) => nameUnreadable(receipt, batch[place]));
    if (await settle(receipts, false, device)) document.dispatchEvent(new CustomEvent("phone:sent"));
    return;
  }
  if (REFUSALS[code]) throw new Stop(REFUSALS[code]);
  checkRefused(code, told);
  throw new Stop("away");
}

// An id that no answer can repeat is answered by its place alone; it acknowledges nothing.
function nameUnreadable(receipt, operation) {
  return receipt?.outcome === "unreadable" && receipt.id === null && operation ? { ...receipt, id: operation.id } : receipt;
}

// Sending it again would change nothing: somebody has to look at it.
async function refuse({ id }, problem) {
  await settle([{ id, outcome: "unreadable", entries: [], problems: [problem] }]);
}

async function post(operations, held) {
  const started = Date.now();
  const answer = await fetch(ADDRESS, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ operations, report: held }),
    credentials: "same-origin",
    redirect: "error",
    cache: "no-store",
    signal: AbortSignal.timeout(LIMIT),
  });
  checkFailed(answer);
  if (answer.status === 413 && operations.length > 1) throw new Unsendable(); // a proxy may say so, with a page
  const told = await answer.json(); // any other page counts as nobody
  if (!told || typeof told !== "object" || !(told.receipts || told.error)) throw new Stop("away");
  return { code: answer.status, told, started };
}


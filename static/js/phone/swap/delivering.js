// Brings home what this phone carries for others, as soon as there is signal. Only a reply that is JSON, with an answer for
// each, is one.

import { checkFailed, checkRefused, sendInParts } from "../batches.js";
import { get as getRide } from "../ride.js";
import { listWaiting, MOST, noteFailing, prune, settle } from "./carried.js";

const ADDRESS = "/api/v1/carried";
const LOCK = "tailgunner-carrier";
const LIMIT = 30_000;
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 60_000;

let pause = FIRST_PAUSE;
let timer = 0;
let isWanted = false;
let isDelivering = false;

export function start() {
  window.addEventListener("online", deliver);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) deliver(); });
  document.addEventListener("phone:carried", ({ detail }) => { if (detail.what === "taken") deliver(); });
  document.addEventListener("phone:network", tidy);
  deliver();
}

/** Deliver at once, however long the pause would still be. Of several pages one delivers at a time. */
export async function deliver() {
  clearTimeout(timer);
  isWanted = true;
  if (isDelivering) return;
  isDelivering = true;
  while (isWanted) {
    isWanted = false;
    try {
      await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => { if (lock) await drain(); });
    } catch (error) {
      console.info("What is carried is not delivered yet:", error.message);
    }
  }
  isDelivering = false;
  if ((await listWaiting()).length === 0) {
    pause = FIRST_PAUSE;
    return;
  }
  clearTimeout(timer);
  timer = setTimeout(deliver, pause * (0.75 + Math.random() / 2));
  pause = Math.min(LONGEST_PAUSE, pause * 2);
}

async function drain() {
  const all = await listWaiting();
  let delivered = 0;
  for (let from = 0; from < all.length; from += MOST) {
    const some = all.slice(from, from + MOST);
    await noteFailing(await sendInParts(some, send, refuse));
  }
  if (delivered) document.dispatchEvent(new CustomEvent("phone:sent")); // so that the copy of the ride is asked for

  async function send(some) {
    delivered += await settle(some, await post(some));
  }

  async function refuse(one, problem) {
    await settle([one], [{ id: null, outcome: "unreadable", entries: [], problems: [problem] }]);
  }
}

/**
 * Bring envelopes to the server.
 * @param {{device: string, operations_json: string, signature: string}[]} rows
 * @returns {Promise<object[]>} a receipt for each, in their order; what is no answer to all of them is thrown, with the status:
 *   `Unsendable` where something among them stands in the way.
 */
export async function post(rows) {
  const carried = rows.map(({ device, operations_json, signature }) => ({ device, operations_json, signature }));
  const answer = await fetch(ADDRESS, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ carried }),
    credentials: "same-origin", redirect: "error", cache: "no-store", signal: AbortSignal.timeout(LIMIT),
  });
  checkFailed(answer);
  const told = await answer.json().catch(() => null);
  checkRefused(answer.status, told);
  if (!answer.ok || !Array.isArray(told?.receipts) || told.receipts.length !== rows.length) throw new Error(String(answer.status));
  return told.receipts;
}

async function tidy({ detail }) {
  const copy = detail.how === "ok" && await getRide();
  if (copy) await prune(copy.asked);
}

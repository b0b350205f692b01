// Delivers relayed entries to the server as soon as there is signal. Only a JSON reply with a receipt for each entry
// counts.

import { Backoff } from "../backoff.js";
import { sendBisecting, throwIfFailed, throwIfRefused } from "../batches.js";
import { getHead as getRide } from "../ride_copy.js";
import { languageHeader } from "../text.js";
import { applyReceipts, listWaiting, MAX_BATCH, prune, recordFailures } from "./relayed.js";

const ADDRESS = "/api/v1/carried";
const LOCK = "tailgunner-carrier";
const TIMEOUT = 30_000;
const backoff = new Backoff(5_000, 60_000); // milliseconds
const DELETED = "410"; // the ride was

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isWanted = false;
let isDelivering = false;

export function start() {
  window.addEventListener("online", deliver);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) deliver(); });
  document.addEventListener("phone:relayed", ({ detail }) => { if (detail.what === "taken") deliver(); });
  document.addEventListener("phone:network", tidy);
  deliver();
}

/** Deliver now, without waiting for the end of the pause. If several pages are open, only one delivers at a time. */
export async function deliver() {
  clearTimeout(timer);
  isWanted = true;
  if (isDelivering) return;
  isDelivering = true;
  let isRefusedForGood = false;
  while (isWanted) {
    isWanted = false;
    try {
      await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => { if (lock) await drain(); });
    } catch (error) {
      isRefusedForGood = error.message === DELETED;
      console.info("Relayed entries are not delivered yet:", error.message);
    }
  }
  isDelivering = false;
  if ((await listWaiting()).length === 0) {
    backoff.reset();
    return;
  }
  clearTimeout(timer);
  if (isRefusedForGood) return; // they stay on this phone
  timer = setTimeout(deliver, backoff.next());
}

async function drain() {
  const all = await listWaiting();
  let delivered = 0;
  for (let from = 0; from < all.length; from += MAX_BATCH) {
    const part = all.slice(from, from + MAX_BATCH);
    await recordFailures(await sendBisecting(part, send, refuse));
  }
  if (delivered) document.dispatchEvent(new CustomEvent("phone:sent")); // so that the copy of the ride is refreshed

  /** @param {Relayed[]} part */
  async function send(part) {
    delivered += await applyReceipts(part, await post(part));
  }

  /**
   * @param {Relayed} row
   * @param {Problem} problem
   */
  async function refuse(row, problem) {
    await applyReceipts([row], [{ id: null, outcome: "unreadable", entries: [], problems: [problem] }]);
  }
}

/**
 * Send envelopes to the server.
 * @param {Envelope[]} rows
 * @returns {Promise<Receipt[]>} a receipt for each, in order.
 * @throws `Unsendable` if one of them blocks the rest, otherwise an error with the status.
 */
export async function post(rows) {
  const carried = rows.map(({ device, operations_json, signature }) => ({ device, operations_json, signature }));
  const answer = await fetch(ADDRESS, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...languageHeader() },
    body: JSON.stringify({ carried }),
    credentials: "same-origin", redirect: "error", cache: "no-store", signal: AbortSignal.timeout(TIMEOUT),
  });
  throwIfFailed(answer);
  /** @type {ServerReply | null} */
  const reply = await answer.json().catch(() => null);
  throwIfRefused(answer.status, reply);
  if (!answer.ok || !Array.isArray(reply?.receipts) || reply.receipts.length !== rows.length) throw new Error(String(answer.status));
  return reply.receipts;
}

/** @param {DocumentEventMap["phone:network"]} event */
async function tidy({ detail }) {
  const copy = detail.how === "ok" && await getRide();
  if (copy) await prune(copy.asked);
}

// Sends entries again after the server was restored from an older backup. They keep their ids and their exact content,
// so that entries that the server still has count once. The copy of the ride contains how many entries the server has
// from each of the member's phones. If the server acknowledged more entries to this phone than that, it has lost some.

import { listAcknowledged, requeueLost } from "./outbox.js";
import { KEY } from "./ride_copy.js";
import { getFact, open, setFact } from "./store.js";
import { reregisterKey } from "./swap/signing.js";

const FACT = "lacking"; // the last number of missing entries by device: sending them again once is enough

export function listen() {
  // Also if the copy has not changed: it may be older than the entries that the server has lost.
  document.addEventListener("phone:network", ({ detail }) => { if (detail.how === "ok") compare(); });
}

async function compare() {
  const work = (await open()).transaction(["ride", "parts"]);
  const [copy, part] = await Promise.all([work.objectStore("ride").get(KEY), work.objectStore("parts").get("own")]);
  if (!copy?.owner || !part?.own) return;
  const acknowledged = await listAcknowledged(copy.owner, copy.asked);
  const missing = countMissing(acknowledged, part.own.counts);
  const before = await getFact(FACT) ?? {};
  await setFact(FACT, missing);
  const lost = acknowledged.filter(({ device }) => missing[device] && missing[device] !== before[device]);
  if (!lost.length) return;
  await requeueLost(lost);
  await reregisterKey();
}

/**
 * Return by device how many acknowledged entries the server no longer has.
 * @param {{device: string}[]} acknowledged
 * @param {Record<string, number>} counts how many entries the server has, by device.
 */
function countMissing(acknowledged, counts) {
  /** @type {Record<string, number>} */
  const acknowledgedCounts = {};
  for (const { device } of acknowledged) acknowledgedCounts[device] = (acknowledgedCounts[device] ?? 0) + 1;
  const missing = Object.entries(acknowledgedCounts).map(([device, count]) => /** @type {const} */ ([device, count - (counts[device] ?? 0)]));
  return Object.fromEntries(missing.filter(([, count]) => count > 0));
}

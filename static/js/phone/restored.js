// Where the server was put back to an older backup, this phone sends again what the server had acknowledged: under the same
// ids and word for word, so that what is there already counts once. The copy of the ride tells how many entries the server
// has of each of the member's phones. Where this phone was told of more, the server has lost some.

import { listAcknowledged, sendLostAgain } from "./outbox.js";
import { KEY } from "./ride.js";
import { getFact, open, setFact } from "./store.js";
import { registerAgain } from "./swap/signing.js";

const FACT = "lacking"; // by the device how many entries were lacking last: sending them again once is enough

export function listen() {
  // Also where the copy has not changed: it may be older than what the server has lost.
  document.addEventListener("phone:network", ({ detail }) => { if (detail.how === "ok") compare(); });
}

async function compare() {
  const work = (await open()).transaction(["ride", "parts"]);
  const [copy, part] = await Promise.all([work.objectStore("ride").get(KEY), work.objectStore("parts").get("own")]);
  if (!copy?.owner || !part?.own) return;
  const acknowledged = await listAcknowledged(copy.owner, copy.asked);
  const lacking = findLacking(acknowledged, part.own.counts);
  const before = await getFact(FACT) ?? {};
  await setFact(FACT, lacking);
  const lost = acknowledged.filter(({ device }) => lacking[device] && lacking[device] !== before[device]);
  if (!lost.length) return;
  await sendLostAgain(lost);
  await registerAgain();
}

/** Return by the device how many entries the server has fewer than it acknowledged. */
function findLacking(acknowledged, counts) {
  const told = {};
  for (const { device } of acknowledged) told[device] = (told[device] ?? 0) + 1;
  return Object.fromEntries(Object.entries(told).map(([device, count]) => [device, count - (counts[device] ?? 0)]).filter(([, count]) => count > 0));
}

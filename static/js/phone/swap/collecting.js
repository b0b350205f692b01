// What this phone has for another one: its own notes that the server may not have, what it carries for others, and what
// was sent of late, which the other's copy of the ride may lack.

import { getOwner } from "../owner.js";
import { open } from "../store.js";
import { list } from "./carried.js";
import { sign } from "./signing.js";

const LATELY = 6 * 60 * 60 * 1000;
const MOST_SENT = 100; // the newest

/** Return envelopes, and the names of the owners of the phones that they are of. */
export async function collect() {
  const owner = await getOwner();
  const noted = await listOwn();
  const signed = (await sign(noted)).map((envelope, place) => ({ envelope, name: (noted[place].owner ?? owner)?.name ?? "" }));
  const own = signed.filter(({ envelope }) => envelope);
  const carried = await list();
  const names = Object.fromEntries(carried.map(({ device, from }) => [device, from]));
  const envelopes = carried.map(({ device, operations_json, signature }) => ({ device, operations_json, signature }));
  const mine = Object.fromEntries(own.map(({ envelope, name }) => [envelope.device, name]));
  return { envelopes: [...own.map(({ envelope }) => envelope), ...envelopes], names: { ...names, ...mine }, owner: owner?.name ?? "" };
}

async function listOwn() {
  const all = (await (await open()).getAll("operations")).filter(({ body }) => body);
  const waiting = all.filter(({ state }) => state === "waiting");
  const sent = all.filter(({ state, acknowledged }) => state === "sent" && acknowledged > Date.now() - LATELY);
  return [...waiting, ...sent.slice(-MOST_SENT)].sort((one, other) => one.seq - other.seq);
}

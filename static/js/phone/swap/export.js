// Collects what this phone can give to another: its own entries that the server may not have, the entries it relays,
// and recently sent entries, which the other phone's copy of the ride may lack.

import { getOwner } from "../owner.js";
import { open } from "../store.js";
import { list } from "./relayed.js";
import { sign } from "./signing.js";

const RECENT = 6 * 60 * 60 * 1000;
const MAX_RECENT = 100; // the newest

/** Return envelopes, and the names of their phones' owners. */
export async function collectEnvelopes() {
  const owner = await getOwner();
  const operations = await listOwn();
  const signed = (await sign(operations)).map((envelope, index) => ({ envelope, name: (operations[index].owner ?? owner)?.name ?? "" }));
  const own = signed.flatMap(({ envelope, name }) => (envelope ? { envelope, name } : []));
  const carried = await list();
  const names = Object.fromEntries(carried.map(({ device, from }) => [device, from]));
  const envelopes = carried.map(({ device, operations_json, signature }) => ({ device, operations_json, signature }));
  const mine = Object.fromEntries(own.map(({ envelope, name }) => [envelope.device, name]));
  return { envelopes: [...own.map(({ envelope }) => envelope), ...envelopes], names: { ...names, ...mine }, owner: owner?.name ?? "" };
}

async function listOwn() {
  const all = (await (await open()).getAll("operations")).flatMap(({ body, ...rest }) => (body ? { ...rest, body } : []));
  const waiting = all.filter(({ state }) => state === "waiting");
  const sent = all.filter(({ state, acknowledged }) => state === "sent" && acknowledged !== undefined && acknowledged > Date.now() - RECENT);
  return [...waiting, ...sent.slice(-MAX_RECENT)].sort((a, b) => a.seq - b.seq);
}

// What the server told this phone of each note it took in: its number in the log, and its hash. Kept outside of the
// server, these tell whether anybody has written its log anew. `manage.py verify --witness` reads the file; there is no
// name in it, and nothing by which anybody could sign in.

import { handOver } from "./handing.js";
import { TAKEN_IN } from "./outbox.js";
import { open } from "./store.js";

const KIND = "tailgunner-witness";
const VERSION = 1;

const getSection = () => document.querySelector("[data-witness]");

export function listen() {
  document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-witness-save]")) save(); });
  document.addEventListener("phone:page", render);
  render();
}

function render() {
  const section = getSection();
  if (section) section.hidden = false;
}

async function save() {
  const { dataset } = getSection();
  try {
    const phones = await collect();
    const n = phones.reduce((sum, { receipts }) => sum + receipts.length, 0);
    if (n === 0) return say(dataset.nothing);
    const file = makeFile(phones);
    const isHere = await handOver(file);
    return say(isHere ? dataset.saved.replace("{n}", n).replace("{file}", file.name) : "");
  } catch (error) {
    console.info("Not saved:", error.name, error.message);
    return say(dataset.failed);
  }
}

function say(text) {
  const said = getSection().querySelector("[data-witness-said]");
  said.textContent = text;
  said.hidden = !text;
  said.scrollIntoView({ block: "nearest" });
}

/** Return the receipts by the device and the ride they were given to, in the order in which the notes were made. */
async function collect() {
  const phones = new Map();
  for (const { id, owner, receipt: last, former = [], acknowledged } of await (await open()).getAll("operations")) {
    const receipt = last ?? former.at(-1); // one that the server lost is witnessed until it is there again
    if (!TAKEN_IN.has(receipt?.outcome)) continue;
    const { device = null, event = null } = owner ?? {};
    const key = `${device} ${event}`;
    if (!phones.has(key)) phones.set(key, { device, event, receipts: [] });
    const list = ({ entries }) => entries.map(({ chain, seq, hash }) => ({ chain, seq, hash }));
    const told = acknowledged ? new Date(acknowledged).toISOString() : null;
    phones.get(key).receipts.push({ operation: receipt.operation ?? id, outcome: receipt.outcome, told, entries: list(receipt), former: former.map(list) });
  }
  return [...phones.values()];
}

function makeFile(phones) {
  const text = JSON.stringify({ format: KIND, version: VERSION, saved: new Date().toISOString(), phones }, null, 1);
  const name = phones.at(-1).device?.slice(0, 8) ?? "phone";
  return new File([text], `${KIND}-${name}.json`, { type: "application/json" });
}

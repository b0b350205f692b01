// Saves the server's receipts as a file: for each entry that the server accepted, its number in the log and its hash.
// Kept outside the server, they show whether anyone has rewritten its log. `manage.py verify --witness` reads the file.
// It contains no names, and nothing that could be used to sign in.

import { shareFile } from "./share_file.js";
import { ACCEPTED_OUTCOMES } from "./outbox.js";
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
  const section = getSection();
  const { dataset } = section;
  try {
    const phones = await collectReceipts();
    const n = phones.reduce((sum, { receipts }) => sum + receipts.length, 0);
    if (n === 0) return say(section, dataset.nothing);
    const file = makeFile(phones);
    const isSaved = await shareFile(file);
    return say(section, isSaved ? dataset.saved.replace("{n}", n).replace("{file}", file.name) : "");
  } catch (error) {
    console.info("Not saved:", error.name, error.message);
    return say(section, dataset.failed);
  }
}

// The user may have left the page with this section meanwhile.
function say(section, text) {
  const message = section.querySelector("[data-witness-said]");
  message.textContent = text;
  message.hidden = !text;
  message.scrollIntoView({ block: "nearest" });
}

/** Return the receipts, grouped by device and ride, in the order in which the entries were made. */
async function collectReceipts() {
  const phones = new Map();
  for (const { id, owner, receipt: last, former = [], acknowledged } of await (await open()).getAll("operations")) {
    const receipt = last ?? former.at(-1); // for an entry that the server lost, until it is recorded again
    if (!ACCEPTED_OUTCOMES.has(receipt?.outcome)) continue;
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

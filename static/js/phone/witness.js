// Saves the server's receipts as a file: for each entry that the server accepted, its number in the log and its hash.
// Kept outside the server, they show whether anyone has rewritten its log. `manage.py verify --witness` reads the file.
// It contains no names, and nothing that could be used to sign in.

import { getElement } from "./elements.js";
import { ACCEPTED_OUTCOMES } from "./outbox.js";
import { shareFile } from "./share_file.js";
import { open } from "./store.js";
import { fillText } from "./text.js";

const KIND = "tailgunner-witness";
const VERSION = 1;

export function listen() {
  document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-witness-save]")) save(); });
  document.addEventListener("phone:page", render);
  render();
}

function render() {
  const section = document.querySelector("[data-witness]");
  if (section) section.hidden = false;
}

async function save() {
  const section = getElement(document, "[data-witness]");
  const { dataset } = section;
  try {
    const phones = await collectReceipts();
    const n = phones.reduce((sum, { receipts }) => sum + receipts.length, 0);
    if (n === 0) return say(section, dataset.nothing);
    const file = makeFile(phones);
    const isSaved = await shareFile(file);
    return say(section, isSaved ? fillText(dataset.saved ?? "", { n, file: file.name }) : "");
  } catch (error) {
    console.info("Not saved:", error.name, error.message);
    return say(section, dataset.failed);
  }
}

/**
 * Show a message in a section. The user may have left its page meanwhile.
 * @param {HTMLElement} section
 * @param {string} [text]
 */
function say(section, text = "") {
  const message = getElement(section, "[data-witness-said]");
  message.textContent = text;
  message.hidden = !text;
  message.scrollIntoView({ block: "nearest" });
}

/** Return the receipts, grouped by device and ride, in the order in which the entries were made. */
async function collectReceipts() {
  /** @type {Map<string, {device: string | null, event: string | null, receipts: ReturnType<typeof makeReceipt>[]}>} */
  const phones = new Map();
  for (const { id, owner, receipt: last, former = [], acknowledged } of await (await open()).getAll("operations")) {
    const receipt = last ?? former.at(-1); // for an entry that the server lost, until it is recorded again
    if (!receipt || !ACCEPTED_OUTCOMES.has(receipt.outcome)) continue;
    const { device = null, event = null } = owner ?? {};
    const key = `${device} ${event}`;
    /** @type {NonNullable<ReturnType<typeof phones["get"]>>} */
    const phone = phones.get(key) ?? { device, event, receipts: [] };
    phone.receipts.push(makeReceipt(id, receipt, former, acknowledged));
    phones.set(key, phone);
  }
  return [...phones.values()];
}

/**
 * @param {string} id of the operation.
 * @param {Receipt} receipt
 * @param {Receipt[]} former receipts.
 * @param {number} [acknowledged]
 */
function makeReceipt(id, receipt, former, acknowledged) {
  const told = acknowledged ? new Date(acknowledged).toISOString() : null;
  return { operation: receipt.operation ?? id, outcome: receipt.outcome, told, entries: listEntries(receipt), former: former.map(listEntries) };
}

/** @param {Receipt} receipt */
const listEntries = ({ entries }) => entries.map(({ chain, seq, hash }) => ({ chain, seq, hash }));

/** @param {Awaited<ReturnType<typeof collectReceipts>>} phones */
function makeFile(phones) {
  const text = JSON.stringify({ format: KIND, version: VERSION, saved: new Date().toISOString(), phones }, null, 1);
  const name = phones.at(-1)?.device?.slice(0, 8) ?? "phone";
  return new File([text], `${KIND}-${name}.json`, { type: "application/json" });
}

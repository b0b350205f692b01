// The "need attention" dialog: lists each entry with the server's reason, and what the user can do about it.

import { cloneTemplate, getElement } from "./elements.js";
import { dismiss, listAttention, requeue } from "./outbox.js";
import { refresh } from "./ride_copy.js";
import { describeEntry, describeOutcome } from "./entry_wording.js";
import { enterAgain, makeAddress } from "./refill.js";
import { fillText } from "./text.js";

const FAILED = "failed";
const WITHDRAWN = "withdrawn"; // the bike, by the crew member who registered it
const PRACTICE_ENDED = "ended";

const getDialog = () => getElement(document, "#attention", HTMLDialogElement);
const isOpen = () => Boolean(document.querySelector("#attention[open]"));

export async function showAttention() {
  await renderList();
  const dialog = getDialog();
  if (!dialog.open) dialog.showModal();
  refresh(); // the organiser may have decided meanwhile
}

document.addEventListener("phone:outbox", ({ detail }) => { if (detail.what === "decided" && isOpen()) renderList(); });

async function renderList() {
  const operations = await listAttention();
  getElement(document, "[data-attention-list]").replaceChildren(...await Promise.all(operations.map(makeItem)));
  if (!operations.length) getDialog().close();
}

/** @param {SettledOperation} operation */
async function makeItem(operation) {
  const item = cloneTemplate("attention-item");
  const { outcome, problems } = operation.receipt;
  const { decision } = operation;
  getElement(item, "[data-item-label]").textContent = await describeEntry(operation);
  getElement(item, "[data-item-outcome]").textContent = describeOutcome(operation);
  getElement(item, "[data-item-why]").replaceChildren(...problems.map(makeReason));
  const remedy = getElement(item, "[data-item-remedy]");
  remedy.hidden = !operation.isUnproven;
  remedy.textContent = fillText(remedy.dataset.text ?? "", { name: operation.owner?.name || remedy.dataset.somebody || "" });
  const again = getElement(item, "[data-item-again]", HTMLAnchorElement);
  const address = decision || [WITHDRAWN, PRACTICE_ENDED].includes(outcome) ? "" : makeAddress(operation); // a removed bike has no form, nor has a practice that has ended
  again.hidden = !address;
  again.href = address;
  again.addEventListener("click", (event) => {
    event.preventDefault();
    getDialog().close();
    enterAgain(operation);
  });
  const resend = getElement(item, "[data-item-resend]");
  resend.hidden = outcome !== FAILED;
  resend.addEventListener("click", async () => {
    await requeue(operation.seq);
    await renderList();
  });
  getElement(item, "[data-item-dismiss]").addEventListener("click", async () => {
    await dismiss(operation.seq);
    await renderList();
  });
  return item;
}

/** @param {Problem} problem */
function makeReason({ message, rule, href }) {
  const line = document.createElement("li");
  line.append(message);
  if (rule && href) line.append(" ", Object.assign(document.createElement("a"), { href, textContent: rule, target: "_blank", rel: "noopener" }));
  return line;
}

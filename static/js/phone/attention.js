// The "need attention" dialog: lists each entry with the server's reason, and what the user can do about it.

import { dismiss, listAttention, requeue } from "./outbox.js";
import { refresh } from "./ride_copy.js";

const FAILED = "failed";
const WITHDRAWN = "withdrawn"; // the bike, by the crew member who registered it
const PRACTICE_ENDED = "ended";
const KNOWN_OUTCOMES = new Set(["conflict", "refused", "late", "review", "merged", "keep", "unsent", "unproven", "ended", FAILED]);
const TURN = "turn";

const isOpen = () => Boolean(document.getElementById("attention")?.open);

export async function showAttention() {
  await renderList();
  const dialog = document.getElementById("attention");
  if (!dialog.open) dialog.showModal();
  refresh(); // the organiser may have decided meanwhile
}

document.addEventListener("phone:outbox", ({ detail }) => { if (detail.what === "decided" && isOpen()) renderList(); });

async function renderList() {
  const list = document.querySelector("[data-attention-list]");
  const operations = await listAttention();
  list.replaceChildren(...operations.map(makeItem));
  if (!operations.length) document.getElementById("attention").close();
}

function makeItem(operation) {
  const item = document.getElementById("attention-item").content.cloneNode(true);
  const { outcome, problems } = operation.receipt;
  const { decision } = operation;
  item.querySelector("[data-item-label]").textContent = operation.label;
  const line = item.querySelector("[data-item-outcome]");
  line.textContent = line.dataset[[decision, outcome].find((name) => KNOWN_OUTCOMES.has(name)) ?? "other"];
  item.querySelector("[data-item-why]").replaceChildren(...problems.map(makeReason));
  const remedy = item.querySelector("[data-item-remedy]");
  remedy.hidden = !operation.isUnproven;
  remedy.textContent = remedy.dataset.text.replaceAll("{name}", operation.owner?.name || remedy.dataset.somebody);
  const again = item.querySelector("[data-item-again]");
  const address = decision || [WITHDRAWN, PRACTICE_ENDED].includes(outcome) ? "" : makeAddress(operation); // a removed bike has no form, nor has a practice that has ended
  again.hidden = !address;
  again.href = address;
  again.addEventListener("click", () => document.getElementById("attention").close());
  const resend = item.querySelector("[data-item-resend]");
  resend.hidden = outcome !== FAILED;
  resend.addEventListener("click", async () => {
    await requeue(operation.seq);
    await renderList();
  });
  item.querySelector("[data-item-dismiss]").addEventListener("click", async () => {
    await dismiss(operation.seq);
    await renderList();
  });
  return item;
}

function makeReason({ message, rule, href }) {
  const line = document.createElement("li");
  line.append(message);
  if (rule && href) line.append(" ", Object.assign(document.createElement("a"), { href, textContent: rule, target: "_blank", rel: "noopener" }));
  return line;
}

/** Return where an entry can be recorded again: the turn's form with its dice, else the page where it was entered. */
function makeAddress({ body, path }) {
  if (body?.kind !== TURN || !body.bike || !body.actions) return body ? "" : path;
  const fields = new URLSearchParams({ contest: body.contest, slot: body.slot, actions: JSON.stringify(body.actions.slice(0, -1)), again: "1" });
  if (body.takes_over) fields.set("takes_over", "1");
  return `/crew/bikes/${body.bike}/?${fields}`;
}

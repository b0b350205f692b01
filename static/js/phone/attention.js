// What needs attention: each note with the server's reason, and what can be done about it.

import { listAttention, sendAgain, setAside } from "./outbox.js";
import { refresh } from "./ride.js";

const FAILED = "failed";
const WITHDRAWN = "withdrawn"; // the bike, by whoever had registered it
const TOLD = new Set(["conflict", "refused", "late", "review", "merged", "keep", "unsent", "unproven", FAILED]);
const TURN = "turn";

const isOpen = () => Boolean(document.getElementById("attention")?.open);

export async function showAttention() {
  await fill();
  const dialog = document.getElementById("attention");
  if (!dialog.open) dialog.showModal();
  refresh(); // the organiser may have decided since
}

document.addEventListener("phone:outbox", ({ detail }) => { if (detail.what === "decided" && isOpen()) fill(); });

async function fill() {
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
  const fate = item.querySelector("[data-item-fate]");
  fate.textContent = fate.dataset[[decision, outcome].find((one) => TOLD.has(one)) ?? "other"];
  item.querySelector("[data-item-why]").replaceChildren(...problems.map(makeReason));
  const mend = item.querySelector("[data-item-mend]");
  mend.hidden = !operation.isUnproven;
  mend.textContent = mend.dataset.text.replaceAll("{name}", operation.owner?.name || mend.dataset.somebody);
  const again = item.querySelector("[data-item-again]");
  const address = decision || outcome === WITHDRAWN ? "" : makeAddress(operation); // on a bike that is gone nothing is entered
  again.hidden = !address;
  again.href = address;
  again.addEventListener("click", () => document.getElementById("attention").close());
  const resend = item.querySelector("[data-item-resend]");
  resend.hidden = outcome !== FAILED;
  resend.addEventListener("click", async () => {
    await sendAgain(operation.seq);
    await fill();
  });
  item.querySelector("[data-item-aside]").addEventListener("click", async () => {
    await setAside(operation.seq);
    await fill();
  });
  return item;
}

function makeReason({ message, rule, href }) {
  const line = document.createElement("li");
  line.append(message);
  if (rule && href) line.append(" ", Object.assign(document.createElement("a"), { href, textContent: rule, target: "_blank", rel: "noopener" }));
  return line;
}

/** Return where it can be noted once more: a turn's card with its dice, else the page it was noted on. */
function makeAddress({ body, path }) {
  if (body?.kind !== TURN || !body.bike || !body.actions) return body ? "" : path;
  const fields = new URLSearchParams({ contest: body.contest, slot: body.slot, actions: JSON.stringify(body.actions.slice(0, -1)), again: "1" });
  if (body.takes_over) fields.set("takes_over", "1");
  return `/crew/bikes/${body.bike}/?${fields}`;
}

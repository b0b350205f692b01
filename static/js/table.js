// The entry form of a table:
// - The button that records an action is enabled once its dice are entered. The number of dice can depend on the dice
//   that are marked above it. Marking dice does not remove entered ones.
// - Folds stay open or closed, for as long as the browser tab is open.
// - A poll does not replace an entry that the user has begun or is sending.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

function readRange(entry, offer) {
  const [low, high] = [Number(entry.dataset.low), Number(entry.dataset.high)];
  if (!entry.dataset.pick) return [low, high];
  const picked = offer.querySelectorAll(`[name="${entry.dataset.pick}"]:checked`).length;
  if (entry.dataset.pickIs === "less") return [Math.max(0, low - picked), Math.max(0, high - picked)];
  return picked ? [picked, picked] : [low, high];
}

function limitPlaces(entry, count) {
  [...entry.querySelectorAll("[data-dice-places] > li")].forEach((cell, place) => {
    cell.hidden = place >= count && !cell.querySelector("input[type=hidden]");
  });
}

function updateButton(offer) {
  const entries = [...offer.querySelectorAll("[data-dice-entry]")];
  const isIn = entries.map((entry) => {
    const [low, high] = readRange(entry, offer);
    limitPlaces(entry, high);
    const dice = entry.querySelectorAll("[data-dice-places] input[type=hidden]").length;
    return "optional" in entry.dataset && dice === 0 || dice >= low && dice <= high;
  });
  const button = offer.querySelector("[data-record]");
  if (button) button.disabled = !isIn.every(Boolean);
}

const updateButtons = () => document.querySelectorAll("[data-offer]").forEach(updateButton);

for (const kind of /** @type {const} */ (["change", "dice"])) {
  document.addEventListener(kind, ({ target }) => {
    const offer = target.closest?.("[data-offer]");
    if (offer) updateButton(offer);
  });
}

// The browser keeps at most one fold with the same name open: the new one would arrive closed while the old one is
// there.
function ungroupFolds() {
  document.querySelectorAll("#table details[name]").forEach((fold) => fold.removeAttribute("name"));
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const isPoll = detail.requestConfig?.elt.matches("[data-poll]");
  const isBusy = document.querySelector("#entry:is([aria-busy='true'], :has([data-dice-local], [name*=':']:checked))");
  if (isPoll && isBusy && detail.target.id === "table") detail.shouldSwap = false;
  if (!detail.shouldSwap) return;
  ungroupFolds();
  // Messages from when the page was opened apply until the user does something. What only accompanies the page comes by
  // itself.
  if (!isPoll && !("aside" in detail.target.dataset)) document.querySelector(".notices:not(#not-sent)")?.remove();
});

document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.("[data-kept]")) sessionStorage.setItem(`fold:${target.id}`, target.open ? "open" : "shut");
}, true);

function restoreFolds() {
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const folds = document.querySelectorAll("[data-kept]");
  folds.forEach((fold) => {
    const state = sessionStorage.getItem(`fold:${fold.id}`);
    if (state) fold.open = state === "open";
  });
}

function prepare() {
  updateButtons();
  restoreFolds();
}

document.addEventListener("htmx:load", prepare);
prepare();

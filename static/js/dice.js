// Fills the dice places immediately when the dice pad is tapped, without a request to the server. The server receives
// the same fields as from a page without this script, only less often.
// - The button that throws again says how many dice it throws.
// - Where the dice complete the form, this script does not handle the tap that fills the last place. That tap submits
//   the form as usual, with the earlier dice in hidden fields.
// - Cards are entered in the same way: a rank shows its suits, and the suit is the face. A card that has come as often as it
//   can in one turn cannot be tapped again.
// - Where the dice stay editable (data-dice-stays), the user presses a button of the form afterwards.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-dice-entry] button");
  if (!button) return;
  const entry = button.closest("[data-dice-entry]");
  if (button.closest("[data-dice-pad]")) tapFace(event, entry, button);
  else if (button.matches("[data-dice-back]")) removeLast(event, entry, 1);
  else if (button.matches("[data-dice-clear]")) removeLast(event, entry, Infinity);
  else if (button.matches(".place") && "diceStays" in entry.dataset) removeDie(event, entry, button);
}, true);

const listEmpty = (entry) => entry.querySelectorAll("li:not([hidden]) > [data-dice-empty]");

function tapFace(event, entry, button) {
  const places = listEmpty(entry);
  const isEditable = "diceStays" in entry.dataset;
  navigator.vibrate?.(12);
  if (isEditable || places.length !== 1) stop(event);
  if (places.length === 0) return; // all dice are entered or being sent
  const row = places[0].closest("[data-dice-places]");
  fill(places[0], button, isEditable || places.length > 1 ? row.dataset.diceName : "", isEditable);
  dispatchChange(entry);
  updateTaken(entry);
}

// Close the cards that are in the row as often as they can come, and begin with the rank again.
function updateTaken(entry) {
  const pad = entry.querySelector("[data-card-pad]");
  if (!pad) return;
  const row = [...entry.querySelectorAll("[data-dice-places] input[type=hidden]")].map(({ value }) => value);
  for (const button of pad.querySelectorAll("button[data-most]")) {
    button.disabled = row.filter((value) => value === button.value).length >= Number(button.dataset.most);
  }
  for (const rank of pad.querySelectorAll("input:checked")) rank.checked = false;
}

function fill(place, button, name, isEditable) {
  const die = button.querySelector(".die").cloneNode(true);
  die.classList.replace("die--l", "die--m");
  const filled = isEditable
    ? Object.assign(document.createElement("button"), { type: "button", className: "place place--change" })
    : Object.assign(document.createElement("span"), { className: "place" });
  filled.append(die);
  filled.dataset.diceLocal = "";
  place.before(filled);
  place.hidden = true;
  delete place.dataset.diceEmpty;
  if (name) filled.after(Object.assign(document.createElement("input"), { type: "hidden", name, value: button.value }));
}

function removeLast(event, entry, howMany) {
  const local = [...entry.querySelectorAll("[data-dice-local]")].reverse().slice(0, howMany);
  if (local.length === 0) return;
  stop(event);
  local.forEach(empty);
  dispatchChange(entry);
  updateTaken(entry);
}

function removeDie(event, entry, filled) {
  stop(event);
  empty(filled);
  dispatchChange(entry);
  updateTaken(entry);
}

function empty(filled) {
  const cell = filled.parentElement;
  cell.querySelector("input[type=hidden]")?.remove();
  filled.remove();
  const place = cell.querySelector(".place--empty");
  place.hidden = false;
  place.dataset.diceEmpty = "";
}

// The button that throws again says how many dice: those that are not marked.
function updateAgain() {
  const texts = document.querySelectorAll("[data-again] > [data-count]");
  const count = String(document.querySelectorAll(".place--toggle input:not(:checked)").length);
  texts.forEach((text) => { text.hidden = text.dataset.count !== count; });
}

document.addEventListener("change", updateAgain);
document.addEventListener("htmx:load", updateAgain);
updateAgain();

const dispatchChange = (entry) => entry.dispatchEvent(new Event("dice", { bubbles: true }));

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// If the request fails, empty the last place again so that the user can repeat the tap.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.failed && detail.xhr?.status) return;
  const last = [...(detail.elt.querySelectorAll?.("[data-dice-local]") ?? [])].pop();
  if (last && !last.parentElement.querySelector("input[type=hidden]")) empty(last);
});

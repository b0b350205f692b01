// Fills the dice places immediately when the dice pad is tapped, without a request to the server. The server receives
// the same fields as from a page without this script, only less often.
// - Where the dice complete the form, this script does not handle the tap that fills the last place. That tap submits
//   the form as usual, with the earlier dice in hidden fields.
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
}

function removeDie(event, entry, filled) {
  stop(event);
  empty(filled);
  dispatchChange(entry);
}

function empty(filled) {
  const cell = filled.parentElement;
  cell.querySelector("input[type=hidden]")?.remove();
  filled.remove();
  const place = cell.querySelector(".place--empty");
  place.hidden = false;
  place.dataset.diceEmpty = "";
}

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

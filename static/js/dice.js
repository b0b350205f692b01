// Taps on a dice pad fill the empty places at once, without asking the server. Where the dice end the form, the tap
// that fills the last place is left alone: it submits the form like any other, with the dice before it in hidden
// fields. Where they stay (data-dice-stays), a button of the form is pressed afterwards. So the server sees the same
// fields as from a page without this script, only less often.

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-dice-entry] button");
  if (!button) return;
  const entry = button.closest("[data-dice-entry]");
  if (button.closest("[data-dice-pad]")) tapFace(event, entry, button);
  else if (button.matches("[data-dice-back]")) takeBack(event, entry, 1);
  else if (button.matches("[data-dice-clear]")) takeBack(event, entry, Infinity);
  else if (button.matches(".place") && "diceStays" in entry.dataset) takeOne(event, entry, button);
}, true);

const listEmpty = (entry) => entry.querySelectorAll("li:not([hidden]) > [data-dice-empty]");

function tapFace(event, entry, button) {
  const places = listEmpty(entry);
  const stays = "diceStays" in entry.dataset;
  navigator.vibrate?.(12);
  if (stays || places.length !== 1) stop(event);
  if (places.length === 0) return; // all dice are in, or on their way
  const row = places[0].closest("[data-dice-places]");
  fill(places[0], button, stays || places.length > 1 ? row.dataset.diceName : "", stays);
  tellChange(entry);
}

function fill(place, button, name, stays) {
  const die = button.querySelector(".die").cloneNode(true);
  die.classList.replace("die--l", "die--m");
  const filled = Object.assign(document.createElement(stays ? "button" : "span"), { className: "place" });
  if (stays) {
    filled.type = "button";
    filled.classList.add("place--change");
  }
  filled.append(die);
  filled.dataset.diceLocal = "";
  place.before(filled);
  place.hidden = true;
  delete place.dataset.diceEmpty;
  if (name) filled.after(Object.assign(document.createElement("input"), { type: "hidden", name, value: button.value }));
}

function takeBack(event, entry, howMany) {
  const local = [...entry.querySelectorAll("[data-dice-local]")].reverse().slice(0, howMany);
  if (local.length === 0) return;
  stop(event);
  local.forEach(empty);
  tellChange(entry);
}

function takeOne(event, entry, filled) {
  stop(event);
  empty(filled);
  tellChange(entry);
}

function empty(filled) {
  const cell = filled.parentElement;
  cell.querySelector("input[type=hidden]")?.remove();
  filled.remove();
  const place = cell.querySelector(".place--empty");
  place.hidden = false;
  place.dataset.diceEmpty = "";
}

const tellChange = (entry) => entry.dispatchEvent(new Event("dice", { bubbles: true }));

function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

// A request that did not get through gives the last place back, so that the tap can be made again.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.failed && detail.xhr?.status) return;
  const last = [...(detail.elt.querySelectorAll?.("[data-dice-local]") ?? [])].pop();
  if (last && !last.parentElement.querySelector("input[type=hidden]")) empty(last);
});

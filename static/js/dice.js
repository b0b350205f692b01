// Taps on the dice pad fill the empty places at once, without asking the server. The tap that fills the last place is
// left alone: it submits the form like any other, with the dice before it in hidden fields. So the server sees the
// same fields as from a page without this script, only less often.

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-dice-entry] button");
  if (!button) return;
  const form = button.closest("[data-dice-entry]");
  if (button.closest("[data-dice-pad]")) tapFace(event, form, button);
  else if (button.matches("[data-dice-back]")) takeBack(event, form, 1);
  else if (button.matches("[data-dice-clear]")) takeBack(event, form, Infinity);
}, true);

function tapFace(event, form, button) {
  if (form.ariaBusy === "true") return stop(event); // the dice it would join are about to be replaced
  const empty = form.querySelectorAll("[data-dice-empty]");
  navigator.vibrate?.(12);
  if (empty.length > 1) stop(event);
  if (empty.length === 0) return stop(event); // all dice are in and on their way
  const row = empty[0].closest("[data-dice-places]");
  fill(empty[0], button, empty.length > 1 ? row.dataset.diceName : "");
}

function fill(place, button, name) {
  const die = button.querySelector(".die").cloneNode(true);
  die.className = "die die--m";
  const filled = Object.assign(document.createElement("span"), { className: "place" });
  filled.append(die);
  filled.dataset.diceLocal = "";
  place.before(filled);
  place.hidden = true;
  delete place.dataset.diceEmpty;
  if (name) filled.after(Object.assign(document.createElement("input"), { type: "hidden", name, value: button.value }));
}

function takeBack(event, form, howMany) {
  const local = [...form.querySelectorAll("[data-dice-local]")].reverse().slice(0, howMany);
  if (local.length === 0) return;
  stop(event);
  local.forEach(empty);
}

function empty(filled) {
  const cell = filled.parentElement;
  cell.querySelector("input[type=hidden]")?.remove();
  filled.remove();
  const place = cell.querySelector(".place--empty");
  place.hidden = false;
  place.dataset.diceEmpty = "";
}

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

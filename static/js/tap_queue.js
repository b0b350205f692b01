// Handles taps on a scorecard's form while an earlier tap is still being sent.
// - A tap on a box records the visible dice: the pending response is not shown, and the box is sent next.
// - Other taps are queued, and pressed on the form that the response contains.
// - After a box, further taps are ignored: a turn is recorded only once.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const FORM = "form[data-dice-entry][data-once]";
const REPEATED = new Set(["face", "back"]); // repeated taps on these count each time, on other buttons once
const BUTTONLESS = new Set(["back", "clear"]); // also pressed if the new form has no such button

let sent = null; // the button whose request is under way
let queue = null; // taps since then, and their form: a box, or other taps
let replaced = null; // the queue whose form is being replaced by the response

const isBusy = (form) => form.ariaBusy === "true" || form.classList.contains("htmx-added");
const isBox = (button) => button?.name === "choose";
const isSame = (a, b) => a.name === b.name && a.value === b.value;

document.addEventListener("submit", ({ target, submitter }) => {
  if (target.matches(FORM)) sent = submitter;
}, true);

document.addEventListener("click", (event) => {
  /** @type {HTMLButtonElement} */
  const button = event.target.closest?.(`${FORM} button[name]`);
  if (!button || !isBusy(button.form)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isBox(sent)) return;
  if (queue?.form !== button.form) queue = { form: button.form, box: null, taps: [] };
  if (!queue.box) enqueue(button);
}, true);

function enqueue(button) {
  const last = queue.taps.at(-1) ?? sent;
  if (isBox(button)) {
    button.form.querySelectorAll("[data-pressed]").forEach((pressed) => { delete pressed.dataset.pressed; });
    button.dataset.pressed = "";
    queue.box = button;
  } else if (!last || REPEATED.has(button.name) || !isSame(last, button)) {
    queue.taps.push({ name: button.name, value: button.value, text: button.textContent });
  }
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!queue || detail.requestConfig?.elt !== queue.form) return;
  if (queue.box) detail.shouldSwap = false;
  else replaced = queue;
});

document.addEventListener("htmx:afterSettle", () => {
  const taps = replaced?.taps ?? [];
  const form = document.querySelector(FORM);
  if (replaced) queue = replaced = null;
  while (form && taps.length && !isBusy(form)) press(form, taps.shift());
  if (form && taps.length) queue = { form, box: null, taps };
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!queue || detail.requestConfig?.elt !== queue.form) return; // the response to another form
  const { box } = queue;
  queue = null;
  if (box) queueMicrotask(() => box.click()); // after htmx has finished the request
});

function press(form, tap) {
  const buttons = [...form.querySelectorAll("button[name]")];
  const button = buttons.find((candidate) => isSame(candidate, tap) && candidate.textContent === tap.text);
  if (button) button.click();
  else if (BUTTONLESS.has(tap.name)) pressHiddenButton(form, tap);
}

function pressHiddenButton(form, { name, value }) {
  const button = Object.assign(document.createElement("button"), { name, value, hidden: true });
  form.append(button);
  button.click();
}

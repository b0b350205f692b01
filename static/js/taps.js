// Taps on a card's form count while an earlier one is still on its way. A box records the dice in sight: the answer
// under way is not shown any more, and the box is sent next. Other taps wait, and are made on the form that comes back.
// After a box, further taps are left out: a turn is recorded once.

const FORM = "form[data-dice-entry][data-once]";
const REPEATED = new Set(["face", "back"]); // two taps on one of these are two; on any other button they are one
const WITHOUT_BUTTON = new Set(["back", "clear"]); // also where the form that comes back has no such button

let sent = null; // the button whose request is on its way
let queue = null; // what was tapped since, on which form: a box, or other taps
let answered = null; // the queue whose form is being replaced by its answer

const isBusy = (form) => form.ariaBusy === "true" || form.classList.contains("htmx-added");
const isBox = (button) => button?.name === "choose";
const isSame = (one, other) => one.name === other.name && one.value === other.value;

document.addEventListener("submit", ({ target, submitter }) => {
  if (target.matches(FORM)) sent = submitter;
}, true);

document.addEventListener("click", (event) => {
  const button = event.target.closest?.(`${FORM} button[name]`);
  if (!button || !isBusy(button.form)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (isBox(sent)) return;
  if (queue?.form !== button.form) queue = { form: button.form, box: null, taps: [] };
  if (!queue.box) wait(button);
}, true);

function wait(button) {
  const last = queue.taps.at(-1) ?? sent;
  if (isBox(button)) {
    button.form.querySelectorAll("[data-pressed]").forEach((one) => { delete one.dataset.pressed; });
    button.dataset.pressed = "";
    queue.box = button;
  } else if (!last || REPEATED.has(button.name) || !isSame(last, button)) {
    queue.taps.push({ name: button.name, value: button.value, text: button.textContent });
  }
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!queue || detail.requestConfig?.elt !== queue.form) return;
  if (queue.box) detail.shouldSwap = false;
  else answered = queue;
});

document.addEventListener("htmx:afterSettle", () => {
  const taps = answered?.taps ?? [];
  const form = document.querySelector(FORM);
  if (answered) queue = answered = null;
  while (form && taps.length && !isBusy(form)) make(form, taps.shift());
  if (form && taps.length) queue = { form, box: null, taps };
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!queue || detail.requestConfig?.elt !== queue.form) return; // another form has come back
  const { box } = queue;
  queue = null;
  if (box) queueMicrotask(() => box.click()); // once htmx is done with the request
});

function make(form, tap) {
  const button = [...form.querySelectorAll("button[name]")].find((one) => isSame(one, tap) && one.textContent === tap.text);
  if (button) button.click();
  else if (WITHOUT_BUTTON.has(tap.name)) makeWithoutButton(form, tap);
}

function makeWithoutButton(form, { name, value }) {
  const button = Object.assign(document.createElement("button"), { name, value, hidden: true });
  form.append(button);
  button.click();
}

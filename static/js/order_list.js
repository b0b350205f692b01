// A list to tick and to put in order (`common.ordered_choice`): moves a row at once, by its buttons or by dragging it.
// A frame that shows what the form would make (`data-preview`) follows what is chosen, before it is saved.

import { makeDraggable } from "./drag_list.js";

const FOLLOW_AFTER = 500; // milliseconds without a change

const getRows = (list) => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[data-order-row]")]);

function update(list) {
  const rows = getRows(list);
  rows.forEach((row, at) => {
    const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (row.querySelectorAll("[data-move]"));
    buttons.forEach((button) => { button.disabled = !rows[at + Number(button.dataset.move)]; });
  });
  list.dispatchEvent(new Event("change", { bubbles: true }));
}

function say(button, list) {
  const rows = getRows(list);
  const at = rows.indexOf(button.closest("[data-order-row]"));
  const text = button.dataset.said.replace("{place}", String(at + 1)).replace("{last}", String(rows.length));
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

function move(button) {
  const list = button.closest("[data-order-list]");
  const row = button.closest("[data-order-row]");
  const rows = getRows(list);
  const other = rows[rows.indexOf(row) + Number(button.dataset.move)];
  if (!other) return;
  if (button.dataset.move === "1") other.after(row);
  else other.before(row);
  update(list);
  // At the end of the list the button is disabled, so the other one takes over the focus.
  (button.disabled ? row.querySelector("[data-move]:not(:disabled)") : button).focus();
  say(button, list);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-order-row] [data-move]");
  if (!button) return;
  event.preventDefault();
  move(button);
});

function followForm(frame) {
  const form = /** @type {HTMLFormElement} */ (document.getElementById(frame.dataset.preview));
  let timer = 0;
  const show = () => {
    const fields = new URLSearchParams();
    new FormData(form).forEach((value, name) => {
      if (!["csrfmiddlewaretoken", "edit_base", "form_id"].includes(name)) fields.append(name, String(value));
    });
    // Without another entry in the history, which the Back button would go through.
    frame.contentWindow.location.replace(`${frame.dataset.address}?${fields}`);
  };
  form.addEventListener("change", () => {
    clearTimeout(timer);
    timer = setTimeout(show, FOLLOW_AFTER);
  });
}

document.querySelectorAll("[data-order-list]").forEach((list) => makeDraggable(getRows(list), () => update(list)));
document.querySelectorAll("iframe[data-preview]").forEach(followForm);

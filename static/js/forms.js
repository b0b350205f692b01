// Small improvements for every form:
// - The error summary gets the focus first, and its links lead to the fields.
// - A form with data-once is sent only once, however often it is tapped, and also after Back.
// - A button with data-confirm asks for confirmation first.
// - A file that is larger than data-max-bytes is refused at once, with the sentence in data-too-large, and its form is not
//   sent: the server would refuse it unread, with everything else in the form.
// - A field with data-chooses selects its radio button as soon as the user types into it.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

document.querySelector(".error-summary")?.focus();

document.addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement} */
  const link = event.target.closest?.(".error-summary a[href^='#']");
  if (link && focusField(decodeURIComponent(link.hash.slice(1)))) event.preventDefault();

  const button = event.target.closest?.("[data-confirm]");
  if (button && !window.confirm(button.dataset.confirm)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

const TYPED = "input:not([type=hidden]), select, textarea";
const CONTROL = `${TYPED}, button`;

function focusField(id) {
  const target = document.getElementById(id);
  const control = target?.matches(CONTROL) ? target : target?.querySelector(CONTROL);
  if (!control) return false;
  control.closest(".field")?.scrollIntoView({ block: "start" });
  control.focus({ preventScroll: true });
  return true;
}

const MEGABYTE = 2 ** 20;

/** @param {HTMLInputElement} input */
function checkFileSize(input) {
  const id = `${input.id}-too-large`;
  document.getElementById(id)?.remove();
  const file = input.files?.[0];
  if (!file || file.size <= Number(input.dataset.maxBytes)) return true;
  const size = (file.size / MEGABYTE).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
  const error = document.createElement("p");
  error.id = id;
  error.className = "field__error";
  error.setAttribute("role", "alert");
  error.textContent = input.dataset.tooLarge
    .replace("{size}", size)
    .replace("{most}", String(Number(input.dataset.maxBytes) / MEGABYTE));
  input.before(error);
  return false;
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.dataset.maxBytes) checkFileSize(target);
});

document.addEventListener("submit", (event) => {
  const files = [.../** @type {NodeListOf<HTMLInputElement>} */ (event.target.querySelectorAll("input[data-max-bytes]"))];
  const refused = files.filter((input) => !checkFileSize(input));
  if (!refused.length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  focusField(refused[0].id);
}, true);

// Leave the buttons enabled: the browser does not send the value of a disabled button.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-once]")) return;
  if (form.ariaBusy === "true") {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else {
    form.ariaBusy = "true";
  }
}, true);

// After Back the server makes a new page, with new ids for its forms, and the browser restores what was typed. The ids are
// restored as well, from the page's entry in the history, so that the same form sent again creates nothing twice.
const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
const oldIds = (visit?.type === "back_forward" && history.state?.formIds) || {};
const formIds = {};
document.querySelectorAll("[data-once]").forEach((/** @type {HTMLFormElement} */ form) => {
  /** @type {HTMLInputElement} */
  const id = form.querySelector("input[name=form_id]");
  if (!id || !form.querySelector(TYPED) || form.action in formIds) return;
  formIds[form.action] = id.value = oldIds[form.action] ?? id.value;
});
if (Object.keys(formIds).length) history.replaceState({ ...history.state, formIds }, "");

// data-chooses is the value of the radio button to select, data-chooses-in the name of its group.
document.addEventListener("input", ({ target }) => {
  const { chooses, choosesIn } = target.dataset;
  const radios = chooses ? [.../** @type {NodeListOf<HTMLInputElement>} */ (target.form.querySelectorAll("input[type=radio]"))] : [];
  const radio = radios.find(({ name, value }) => name === choosesIn && value === chooses);
  if (radio) radio.checked = true;
});

// A response to another request, such as a poll, does not unlock a form that is being sent.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const sender = detail.requestConfig?.elt;
  if (sender?.matches("[data-once]")) sender.ariaBusy = null;
});
window.addEventListener("pageshow", () => {
  document.querySelectorAll("[data-once]").forEach((form) => { form.ariaBusy = null; });
});

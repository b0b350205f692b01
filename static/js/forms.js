// Small helps for every form: the error summary is read first and its links lead into the fields,
// a form marked data-once is sent once however often it is tapped, data-confirm asks before it is sent, data-chooses
// chooses what is being typed.

document.querySelector(".error-summary")?.focus();

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".error-summary a[href^='#']");
  if (link && focusField(decodeURIComponent(link.hash.slice(1)))) event.preventDefault();

  const asking = event.target.closest?.("[data-confirm]");
  if (asking && !window.confirm(asking.dataset.confirm)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

const CONTROL = "input:not([type=hidden]), select, textarea, button";

function focusField(id) {
  const target = document.getElementById(id);
  const control = target?.matches(CONTROL) ? target : target?.querySelector(CONTROL);
  if (!control) return false;
  control.closest(".field")?.scrollIntoView({ block: "start" });
  control.focus({ preventScroll: true });
  return true;
}

// The buttons stay enabled: a disabled one would not be sent along.
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

// Typing into a field with data-chooses chooses that value among the radio buttons named in data-chooses-in.
document.addEventListener("input", ({ target }) => {
  const { chooses, choosesIn } = target.dataset;
  const radios = chooses ? [...target.form.querySelectorAll("input[type=radio]")] : [];
  const radio = radios.find((one) => one.name === choosesIn && one.value === chooses);
  if (radio) radio.checked = true;
});

// An answer to something else, such as a page that asks for news, leaves a form on its way locked.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const sender = detail.requestConfig?.elt;
  if (sender?.matches("[data-once]")) sender.ariaBusy = null;
});
window.addEventListener("pageshow", () => {
  document.querySelectorAll("[data-once]").forEach((form) => { form.ariaBusy = null; });
});

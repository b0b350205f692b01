// Small helps for every form: the error summary is read first and its links lead into the fields,
// a form marked data-once is sent once however often it is tapped, data-confirm asks before it is sent.

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

const release = () => document.querySelectorAll("[data-once]").forEach((form) => { form.ariaBusy = null; });
document.addEventListener("htmx:afterRequest", release);
window.addEventListener("pageshow", release);

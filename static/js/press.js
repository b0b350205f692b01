// What was pressed looks so from the tap until the answer is there: a phone that works out the card by itself, or waits
// for a server, takes longer than a finger wants to wait for a sign.

const PRESSED = "[data-pressed]";

const release = (part) => part?.querySelectorAll(PRESSED).forEach((one) => { delete one.dataset.pressed; });

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("button.box");
  if (button && !button.disabled) button.dataset.pressed = "";
}, { capture: true });
document.addEventListener("htmx:afterRequest", ({ detail }) => release(detail.requestConfig?.elt));
window.addEventListener("pageshow", () => release(document));

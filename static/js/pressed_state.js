// Shows a box as pressed from the tap until the response arrives. A phone that computes the scorecard itself, or waits
// for a server, takes longer than a user expects to wait for feedback.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const PRESSED = "[data-pressed]";

const release = (part) => part?.querySelectorAll(PRESSED).forEach((button) => { delete button.dataset.pressed; });

document.addEventListener("click", ({ target }) => {
  /** @type {HTMLButtonElement | undefined} */
  const button = target.closest?.("button.box");
  if (button && !button.disabled) button.dataset.pressed = "";
}, { capture: true });
document.addEventListener("htmx:afterRequest", ({ detail }) => release(detail.requestConfig?.elt));
window.addEventListener("pageshow", () => release(document));

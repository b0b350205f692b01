// Shows copy buttons where the browser can copy. Elsewhere the user selects the field beside the button by hand.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

function offer() {
  if (!navigator.clipboard) return;
  document.querySelectorAll("[data-copy][hidden]").forEach((button) => { button.hidden = false; });
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy]");
  if (!button) return;
  /** @type {HTMLElement & {value?: string}} */
  const field = document.querySelector(button.dataset.copy);
  await navigator.clipboard.writeText(field.value ?? field.textContent);
  button.querySelector("span").textContent = button.dataset.copied;
  document.dispatchEvent(new CustomEvent("say", { detail: button.dataset.copied }));
});

document.addEventListener("htmx:load", offer);
offer();

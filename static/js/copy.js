// Shows copy buttons where the browser can copy. A button with data-selected is there in any case: where nothing can be
// copied, it selects the text and says what to do. Elsewhere the user selects the field beside the button by hand.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

function offer() {
  const buttons = navigator.clipboard ? "[data-copy][hidden]" : "[data-copy][data-selected][hidden]";
  document.querySelectorAll(buttons).forEach((button) => { button.hidden = false; });
}

/** Return whether a text was copied; the browser, or whoever asks it, may refuse. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return false;
  }
  return true;
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy]");
  if (!button) return;
  /** @type {HTMLElement & {value?: string, select?: () => void}} */
  const field = document.querySelector(button.dataset.copy);
  const isCopied = await copy(field.value ?? field.textContent);
  if (!isCopied) field.select?.();
  const said = isCopied ? button.dataset.copied : button.dataset.selected;
  if (!said) return;
  button.querySelector("span").textContent = said;
  document.dispatchEvent(new CustomEvent("say", { detail: said }));
});

document.addEventListener("htmx:load", offer);
offer();

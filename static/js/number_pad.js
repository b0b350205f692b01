// The keys of a number pad write into the field above them, so that the phone's keyboard stays away. Without this script
// the number is typed.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

document.addEventListener("click", (event) => {
  const key = event.target.closest?.("[data-number-pad] button");
  if (!key) return;
  const pad = key.closest("[data-number-pad]");
  const input = pad.querySelector("input");
  const digits = "delete" in key.dataset ? input.value.slice(0, -1) : addDigit(input.value, key.dataset.digit);
  if (digits.length > pad.dataset.high.length) return;
  navigator.vibrate?.(12);
  input.value = digits;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  document.dispatchEvent(new CustomEvent("say", { detail: digits }));
});

const addDigit = (value, digit) => (value === "0" ? digit : value + digit);

function putKeyboardAway() {
  document.querySelectorAll("[data-number-pad] input").forEach((input) => { input.inputMode = "none"; });
}

for (const kind of /** @type {const} */ (["htmx:afterSettle", "phone:page"])) document.addEventListener(kind, putKeyboardAway);
putKeyboardAway();

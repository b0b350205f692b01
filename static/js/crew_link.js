// Scans the QR code of a crew link with the camera, and sends it as if it had been pasted: the server says what is wrong
// with a link that does not work.

import { endIfRepeated } from "./repeated_script.js";
import { scan } from "./scanner.js";

endIfRepeated(import.meta.url);

const readLink = (text) => (text.includes("/crew/join/") ? text : null);

document.addEventListener("click", async ({ target }) => {
  if (!target.closest?.("[data-scan-link]")) return;
  /** @type {HTMLFormElement} */
  const form = document.querySelector("#crew-link");
  const field = form.querySelector("textarea");
  try {
    const link = await scan(readLink);
    if (!link) return;
    field.value = link;
    form.requestSubmit();
  } catch {
    document.getElementById("no-camera").hidden = false;
    field.focus();
  }
});

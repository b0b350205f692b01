// Scans the QR code on a bike with the camera. If the camera cannot be used, the script leads to the search by number,
// which opens the same page.

import { endIfRepeated } from "./repeated_script.js";
import { scan } from "./scanner.js";

endIfRepeated(import.meta.url);

const CODE = /^\/b\/[a-z2-7]{40}\/$/;

// Return the path of one of our codes. It is used on this server, whichever host name was printed in the code.
function readAddress(text) {
  try {
    const { pathname } = new URL(text);
    return CODE.test(pathname) ? pathname : null;
  } catch {
    return null; // not a URL
  }
}

function offerSearch() {
  const field = document.getElementById("q");
  document.getElementById("no-camera").hidden = false;
  field.closest("details").open = true;
  field.setAttribute("aria-describedby", "no-camera");
  field.focus();
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-scan]");
  if (!button) return;
  try {
    const address = await scan(readAddress);
    if (address) location.assign(address + button.dataset.scan);
  } catch {
    offerSearch();
  }
});

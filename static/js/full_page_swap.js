// Swaps an error page in for the whole body, not just for the target of the request: the phone was signed out, or the
// bike belongs to another group.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const FULL_PAGE_STATUSES = new Set([401, 403, 404, 410]);

// A part that only accompanies the page (data-aside) may be missing: then the page stays as it is.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if ("aside" in detail.target.dataset || !FULL_PAGE_STATUSES.has(detail.xhr.status)) return;
  detail.shouldSwap = true;
  detail.isError = false;
  detail.target = document.body;
  detail.swapOverride = "innerHTML";
});

// Shows a notice when a request that the user triggered fails, until a request succeeds.
// Requests that the page makes by itself fail silently; it will retry them.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

for (const failure of /** @type {const} */ (["htmx:sendError", "htmx:timeout", "htmx:responseError"])) {
  document.addEventListener(failure, ({ detail }) => { if (detail.requestConfig?.triggeringEvent) showNotice(true); });
}

document.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.successful) showNotice(false); });

function showNotice(failed) {
  const notice = document.getElementById("not-sent");
  if (!notice) return;
  notice.hidden = !failed;
  if (failed) notice.scrollIntoView({ block: "nearest" });
}

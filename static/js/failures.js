// A request that somebody made and that got no usable answer is told where it can be seen, until one gets through.
// What a page fetches by itself fails quietly; it will ask again.

for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, ({ detail }) => { if (detail.requestConfig?.triggeringEvent) tell(true); });
}

document.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.successful) tell(false); });

function tell(failed) {
  const notice = document.getElementById("not-sent");
  if (!notice) return;
  notice.hidden = !failed;
  if (failed) notice.scrollIntoView({ block: "nearest" });
}

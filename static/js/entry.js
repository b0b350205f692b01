// An answer that is a page of its own takes the whole page: the phone was signed out, or the bike is another group's.

const WHOLE_PAGE = new Set([401, 403, 404]);

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!WHOLE_PAGE.has(detail.xhr.status)) return;
  detail.shouldSwap = true;
  detail.isError = false;
  detail.target = document.body;
  detail.swapOverride = "innerHTML";
});

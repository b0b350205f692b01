// Where the focus goes when htmx has replaced a part of the page, and what is said about it.
// A person who acted finds the error summary, else what the fragment marks with data-focus, else the fragment itself.
// A page that refreshes by itself never takes the focus from where it is, nor scrolls a table back to its begin, and
// what has not changed (the ETag names the version that is there) is not replaced at all.

const ACTS = new Set(["submit", "click", "change", "keyup"]);
let acted = false;
let scrolled = [];

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const trigger = detail.requestConfig?.triggeringEvent;
  acted = ACTS.has(trigger?.type) || detail.target.contains(document.activeElement);
  const { version } = detail.target.dataset;
  if (version && detail.xhr.getResponseHeader("ETag")?.includes(version)) detail.shouldSwap = false;
  scrolled = [...detail.target.querySelectorAll("[id].table-wrap")].map(({ id, scrollLeft }) => [id, scrollLeft]);
});

document.addEventListener("htmx:afterSwap", () => {
  for (const [id, left] of scrolled) document.getElementById(id)?.scrollTo(left, 0);
  scrolled = [];
});

document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (!(target instanceof Element) || !target.isConnected) return;
  const said = target.matches("[data-say]") ? target : target.querySelector("[data-say]");
  if (said) document.dispatchEvent(new CustomEvent("say", { detail: said.dataset.say }));
  if (!acted) return;
  acted = false;
  const wanted = target.querySelector(".error-summary") ?? target.querySelector("[data-focus]");
  if (wanted) focusOn(wanted);
  else if (document.activeElement === document.body) focusOn(target, { preventScroll: true });
});

function focusOn(element, options) {
  if (!element.matches("a[href], button, input, select, textarea, [tabindex]")) element.tabIndex = -1;
  element.focus(options);
}

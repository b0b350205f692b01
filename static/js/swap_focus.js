// Sets the focus after htmx has replaced a part of the page, and announces the result.
// - After a user's action the focus goes to the error summary, else to the element with data-focus, else to the
//   fragment.
// - A page that refreshes itself never moves the focus and never scrolls a table back to its start.
// - Unchanged content (the ETag contains the version on the page) is not replaced at all.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const USER_EVENTS = new Set(["submit", "click", "change", "keyup"]);
let isUserAction = false;
let wasPressed = false; // rather than refreshed by itself while the focus was inside
let scrolled = [];

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const trigger = detail.requestConfig?.triggeringEvent;
  wasPressed = USER_EVENTS.has(trigger?.type);
  isUserAction = wasPressed || detail.target.contains(document.activeElement);
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
  const announcement = target.matches("[data-say]") ? target : target.querySelector("[data-say]");
  if (announcement) document.dispatchEvent(new CustomEvent("say", { detail: announcement.dataset.say }));
  if (!isUserAction) return;
  isUserAction = false;
  const wanted = target.querySelector(".error-summary") ?? target.querySelector("[data-focus]");
  if (wanted) focusOn(wanted);
  else if (document.activeElement === document.body) focusOn(target, { preventScroll: true });
  // htmx gives the new element the focus of the old one without scrolling to it.
  else if (wasPressed && target.contains(document.activeElement)) document.activeElement.scrollIntoView({ block: "nearest" });
});

function focusOn(element, options) {
  if (!element.matches("a[href], button, input, select, textarea, [tabindex]")) element.tabIndex = -1;
  element.focus(options);
}

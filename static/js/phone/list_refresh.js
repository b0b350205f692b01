// Refreshes the list on the current page when the phone's copy of the ride changes, an earlier tap has been recorded, or the server
// has not accepted an entry.
// Only the element with data-refreshes is replaced, and not while the user is using it.

import { languageHeader } from "./text.js";

const LIST = "[id][data-refreshes]";
const MARK = "X-Tailgunner";

/** @type {Promise<void> | null} */
let running = null;

export function listen() {
  for (const kind of /** @type {const} */ (["phone:ride", "phone:judged"])) document.addEventListener(kind, refresh);
  document.addEventListener("phone:outbox", ({ detail }) => { if (["refused", "decided"].includes(detail.what)) refresh(); });
}

/** Fetch the page again; a refresh that is requested meanwhile runs afterwards. */
function refresh() {
  running = (running ?? Promise.resolve()).then(replace).catch((error) => console.info("The list is not refreshed:", error.message));
}

async function replace() {
  const shown = document.querySelector(LIST);
  if (!shown) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html", ...languageHeader() }, credentials: "same-origin" });
  if (!answer.ok || !answer.headers.has(MARK)) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(shown.id);
  if (!fresh || !shown.isConnected || isUsed(shown)) return;
  const search = fresh.querySelector("details");
  if (search) search.open = shown.querySelector("details")?.open ?? search.open;
  if (isSame(shown, fresh)) return;
  if (shown.matches(":active")) {
    refreshAfterTap();
    return;
  }
  const place = shown.contains(document.activeElement) ? findPlace(document.activeElement) : null;
  shown.replaceWith(document.adoptNode(fresh));
  window.htmx.process(fresh);
  if (place) fresh.querySelector(place)?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("phone:list"));
}

/** A row that is replaced between press and release gets no click: the tap would be lost. */
function refreshAfterTap() {
  const ended = new AbortController();
  const again = () => { ended.abort(); setTimeout(refresh); };
  for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, again, { signal: ended.signal });
}

/** @param {Element | null} element */
function findPlace(element) {
  const address = element?.getAttribute("href");
  return address ? `a[href="${CSS.escape(address)}"]` : element?.localName;
}

/** @param {HTMLElement} list */
const isUsed = (list) => /** @type {HTMLInputElement[]} */ ([...list.querySelectorAll("input:not([type=hidden])")]).some((input) => input === document.activeElement || input.value !== input.defaultValue);

/**
 * @param {HTMLElement} shown
 * @param {HTMLElement} fresh
 */
function isSame(shown, fresh) {
  const bare = document.importNode(shown, true);
  bare.querySelectorAll("[data-bike-mark]").forEach((mark) => mark.remove()); // added by this phone
  return bare.isEqualNode(fresh);
}

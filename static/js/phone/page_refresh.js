// Refreshes the page of a bike or a table after the server has not accepted an entry made there, or the organiser has
// decided about one: the page may show what does not count. What the user has entered on it since is preserved where it
// still fits. Lists are refreshed by list_refresh.js.
//
// The first refresh follows the receipt; the next one follows the copy of the ride, which contains what was recorded
// elsewhere instead.

import { reload } from "./drafts.js";
import { go } from "./navigation.js";
import { isAbout } from "./entry_wording.js";
import { listNotAccepted } from "./outbox.js";

const WAIT = 10_000; // milliseconds for the copy of the ride that contains the reason
const CHANGES = new Set(["refused", "decided"]);

let until = 0; // until when a new copy of the ride refreshes the page as well
/** @type {Promise<void> | null} */
let running = null;

export function listen() {
  document.addEventListener("phone:outbox", ({ detail }) => {
    if (!CHANGES.has(detail.what)) return;
    until = Date.now() + WAIT;
    refresh();
  });
  document.addEventListener("phone:ride", () => { if (Date.now() < until) refresh(); });
}

function refresh() {
  running = (running ?? Promise.resolve()).then(replace).catch((error) => console.info("The page is not refreshed:", error.message));
}

async function replace() {
  const entries = await listNotAccepted();
  if (!entries.some(isAbout) || document.body.ariaBusy === "true") return; // the next page is on its way
  if (isAfterDialog()) return;
  const table = document.querySelector("#table");
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form:is(#card, #entry)"));
  if (form?.ariaBusy === "true") return; // its answer is the new page
  if (table) {
    const fields = form ? [...new FormData(form)].filter(([name]) => name.includes(":")) : [];
    const query = new URLSearchParams(fields.map(([name, value]) => [name, String(value)]));
    await window.htmx.ajax("GET", `${location.pathname}?${query}`, { source: table, target: "#table", swap: "outerHTML show:none" });
  } else if (form?.matches("[data-dice-entry]")) await reload();
  else if (!hasInput()) {
    await go(location.href, { isBack: true, isRefresh: true });
    isAfterDialog(); // it may have been opened meanwhile
  }
}

/** Another page would close a dialog. If one is open, refresh the page when it is closed, and return true. */
function isAfterDialog() {
  const dialog = document.querySelector("dialog[open]");
  dialog?.addEventListener("close", refresh, { once: true });
  return Boolean(dialog);
}

/** Return whether the user has typed anything on the page, which would be lost. */
export function hasInput() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = document.querySelectorAll("main :is(input:not([type=hidden]), textarea)");
  return [...inputs].some((input) => (["radio", "checkbox"].includes(input.type) ? input.checked !== input.defaultChecked : input.value !== input.defaultValue));
}

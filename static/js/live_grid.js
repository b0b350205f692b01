// Keeps the live desk up to date: fetches the rows that have changed when the stream says that something has, and now
// and then the whole grid, since a stop closes without an entry. The stream does not say what has changed.

import { mayStream, onStreamLimit } from "./stream_limit.js";

const FALLBACK_INTERVAL = 15_000; // without a stream
const WHOLE_INTERVAL = 60_000;
const PAUSE = 1_000; // between two requests: on a busy day something changes constantly

/** @type {HTMLFormElement | null} */
const changes = document.querySelector("#grid-changes");
/** @returns {HTMLInputElement} where the rows of this page, or those of an answer, were read. */
const getPosition = (page = document) => page.querySelector("#grid-position");

let isAsking = false;
let isWanted = false;

/** Fetch what has changed; changes that arrive meanwhile are covered by the next request. */
async function ask() {
  isWanted = true;
  if (isAsking || document.hidden) return;
  isAsking = true;
  while (isWanted && !document.hidden) {
    isWanted = false;
    await fetchChanges().catch((error) => console.info("The grid is not up to date:", error.message));
    await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
  }
  isAsking = false;
}

function askForWhole() {
  getPosition().value = "";
  ask();
}

async function fetchChanges() {
  const fields = new URLSearchParams([...new FormData(changes)].map(([name, value]) => [name, String(value)]));
  const answer = await fetch(`${changes.action}?${fields}`, { headers: { Accept: "text/html" }, credentials: "same-origin", redirect: "error" });
  if (answer.status !== 200) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const focused = document.activeElement?.closest("#grid tr")?.id;
  getPosition().value = getPosition(fresh).value;
  const whole = fresh.getElementById("grid");
  if (whole) replaceWhole(whole);
  else fresh.querySelectorAll("tr").forEach(replaceRow);
  count();
  if (focused) document.getElementById(focused)?.querySelector("th a")?.focus({ preventScroll: true });
}

function replaceWhole(whole) {
  const { scrollLeft: left = 0, scrollTop: top = 0 } = document.querySelector("#grid .table-wrap") ?? {};
  document.getElementById("grid").replaceWith(document.adoptNode(whole));
  document.querySelector("#grid .table-wrap")?.scrollTo({ left, top });
}

/** Replace a row, remove one that no longer matches the filters, or add one that now does. */
function replaceRow(fresh) {
  const shown = document.getElementById(fresh.id);
  /** @type {HTMLTableSectionElement | null} */
  const rows = document.querySelector("#grid-rows");
  if (!fresh.cells.length) shown?.remove();
  else if (shown) shown.replaceWith(document.adoptNode(fresh));
  else if (!rows) askForWhole(); // no bike has matched so far
  else rows.insertBefore(document.adoptNode(fresh), [...rows.rows].find((row) => isBefore(fresh, row)) ?? null);
}

// Numbers have five digits there, and may have letters: they compare as texts.
function isBefore(one, other) {
  const [number, suffix] = one.dataset.number.split(".");
  const [otherNumber, otherSuffix] = other.dataset.number.split(".");
  return number < otherNumber || (number === otherNumber && Number(suffix) < Number(otherSuffix));
}

function count() {
  for (const line of document.querySelectorAll("[data-count]")) {
    const found = document.querySelectorAll(`#grid-rows .cell--${line.dataset.count}`).length;
    line.hidden = !found;
    line.querySelector("strong").textContent = String(found);
  }
}

if (changes) {
  let source = null;
  const connect = () => {
    source?.close();
    source = mayStream() ? new EventSource(changes.dataset.stream) : null;
    source?.addEventListener("rows", ask);
    ask();
  };
  connect();
  onStreamLimit(connect);
  setInterval(() => { if (source?.readyState !== EventSource.OPEN) ask(); }, FALLBACK_INTERVAL);
  setInterval(askForWhole, WHOLE_INTERVAL);
}

// The bikes that this device has pinned: their rows on top of a page. The browser remembers their ids, and no server
// does. The rows are fetched, as the page without scripts has them; on a leaderboard their places, totals and gaps then
// follow its rows, and only a bike's own turn is fetched again. Moves are announced, once per update and none on load.

import { getCell } from "./board_columns.js";
import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const KEY = "tailgunner-my-bikes"; // in localStorage: the ids by event. Its content is data
const PARAMETER = "mine";
const REFRESH_INTERVAL = 60_000; // milliseconds; on pages without rows
const MAX_DELAY = 3_000; // so that not all viewers ask at once

const panel = document.getElementById("mine");
const note = document.getElementById("mine-note");
const { event: ride, url, most, up, down, pinned, unpinned, full } = panel.dataset;
const figures = new Map(); // by the id of a row: what its last turn changes
let rowCount = 0;
let asked = 0; // the number of the last request
let timer = null;

/** @returns {string[] | null} the pinned ids; null where the browser stores nothing. */
function read() {
  try { return JSON.parse(localStorage.getItem(KEY) ?? "{}")[ride] ?? []; } catch { return null; }
}

function write(ids) {
  let all = {};
  try { all = JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { /* What is there cannot be read. */ }
  if (ids.length) all[ride] = ids;
  else delete all[ride];
  try { localStorage.setItem(KEY, JSON.stringify(all)); } catch { return false; }
  return true;
}

const say = (text) => document.dispatchEvent(new CustomEvent("say", { detail: text }));
/** @returns {HTMLElement[]} */
const listPinned = () => [...panel.querySelectorAll("[data-row]")];
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_all, name) => values[name]);

/** Return the sentence about a place, and where it was before if that is known. */
function describeMove(before, rank, now) {
  const [from, to] = [Number(before.rank), Number(rank)];
  if (!from || !to || from === to || !before.nth || !now) return now;
  return fill(to < from ? up : down, { now, place: before.nth });
}

// --- the rows of the leaderboard ---

/** @returns {HTMLTableRowElement | null} */
const findRow = (item) => document.querySelector(`tr[id="${item.dataset.row}"]`);
/** @param {HTMLTableRowElement} row */
const readFigures = (row) => `${getCell(row, "progress").textContent} ${getCell(row, "total").textContent}`;

/** Mark the rows of pinned bikes, and put what is shown of them up to date. */
function follow() {
  let isTurn = false;
  const rows = document.querySelectorAll("#board-rows > tr");
  for (const item of listPinned()) {
    const row = findRow(item);
    if (!row) continue;
    row.classList.add("is-mine");
    const now = readFigures(row);
    if (figures.has(row.id) && figures.get(row.id) !== now) isTurn = true;
    figures.set(row.id, now);
    if (row.dataset.gap !== undefined) update(item, row);
  }
  if (rowCount && rows.length !== rowCount) isTurn = true; // perhaps another sheet of the bike
  rowCount = rows.length;
  if (isTurn) schedule();
}

function update(item, row) {
  const { place, nth, gap } = row.dataset;
  const label = getCell(row, "place").textContent;
  const rank = String(parseInt(label, 10) || "");
  const before = { ...item.dataset };
  // board.js announces the rows that have moved, the pinned ones before all others.
  if (before.nth !== nth && place) row.dataset.place = describeMove(before, rank, place);
  Object.assign(item.dataset, { rank, nth, now: place });
  item.querySelector("[data-rank-label]").textContent = label;
  item.querySelector("[data-total-text]").textContent = getCell(row, "total").textContent;
  item.querySelector("[data-remark]").textContent = row.querySelector("small")?.textContent ?? "";
  item.querySelector("[data-gap-text]").textContent = gap;
}

// --- the rows that the server has ---

function schedule(delay = Math.random() * MAX_DELAY) {
  timer ??= setTimeout(load, delay);
}

async function load() {
  clearTimeout(timer);
  timer = null;
  const ids = read() ?? [];
  const number = asked += 1;
  panel.hidden = !ids.length;
  showPins(ids);
  if (!ids.length) {
    replace("");
    return;
  }
  const query = new URLSearchParams(ids.map((id) => [PARAMETER, id]));
  const headers = { "HX-Request": "true", "X-Tailgunner-Language": document.documentElement.lang };
  try {
    const answer = await fetch(`${url}?${query}`, { headers, credentials: "same-origin" });
    if (answer.ok && number === asked) replace(await answer.text());
  } catch { /* Without signal the rows stay as they are; the next change or minute asks again. */ }
}

function replace(html) {
  const before = new Map(listPinned().map((item) => [item.dataset.key, { ...item.dataset }]));
  const focused = document.activeElement?.closest?.("#mine [data-key]")?.dataset.key;
  const fresh = new DOMParser().parseFromString(html, "text/html");
  panel.replaceChildren(...[...fresh.body.childNodes].map((node) => document.adoptNode(node)));
  panel.querySelectorAll("noscript").forEach((part) => part.remove());
  if (focused) panel.querySelector(`[data-key="${CSS.escape(focused)}"] a`)?.focus({ preventScroll: true });
  forget();
  const moves = listPinned().filter(({ dataset: { key, nth } }) => before.has(key) && before.get(key).nth !== nth);
  const sentences = moves.map(({ dataset }) => describeMove(before.get(dataset.key), dataset.rank, dataset.now)).filter(Boolean);
  // A leaderboard announces the move with its rows.
  if (sentences.length && !document.getElementById("board-rows")) say(sentences.map((sentence) => `${sentence}.`).join(" "));
  follow();
}

/** Forget ids that stand for a bike that another id has pinned already. */
function forget() {
  const known = new Set([...panel.querySelectorAll("[data-pin]")].map(({ dataset }) => dataset.pin));
  const ids = read() ?? [];
  if (known.size && ids.some((id) => !known.has(id))) write(ids.filter((id) => known.has(id)));
}

// --- the buttons ---

function showPins(ids) {
  document.querySelectorAll("[data-pin-form]").forEach((form) => {
    const isPinned = ids.includes(form.dataset.pinForm);
    form.querySelector("[data-label]").hidden = isPinned;
    form.querySelector("[data-label-pinned]").hidden = !isPinned;
  });
}

function tell(text) {
  note.textContent = text;
  note.hidden = !text;
  if (text) say(text);
}

document.addEventListener("submit", (event) => {
  const { pinForm, unpin } = event.target.dataset;
  const id = pinForm ?? unpin;
  const ids = read();
  if (!id || !ids) return; // where nothing can be stored, the address of the page has the ids
  const isPinned = ids.includes(id);
  if (!isPinned && !unpin && ids.length >= Number(most)) {
    event.preventDefault();
    tell(full);
    return;
  }
  if (!write(isPinned ? ids.filter((one) => one !== id) : [...ids, id])) return;
  event.preventDefault();
  tell(isPinned ? unpinned : pinned);
  if (unpin) document.getElementById("main").focus({ preventScroll: true });
  load();
});

// A page that was opened with the ids in its address, such as a link from the family, pins them here.
function adopt() {
  const address = new URL(location.href);
  const named = address.searchParams.getAll(PARAMETER);
  const ids = read();
  if (!ids || !named.length) return;
  if (!write([...new Set([...ids, ...named])].slice(0, Number(most)))) return;
  address.searchParams.delete(PARAMETER);
  history.replaceState(history.state, "", address);
}

adopt();
if (read()?.length) load();
document.addEventListener("board:sorted", follow);
document.addEventListener("found:shown", () => showPins(read() ?? []));
document.addEventListener("htmx:afterSwap", ({ target }) => { if (target.matches("#card, #seats")) schedule(); });
document.addEventListener("htmx:sseMessage", () => { if (!document.getElementById("board-rows")) schedule(Math.random() * 3 * MAX_DELAY); });
window.addEventListener("storage", ({ key }) => { if (key === KEY) load(); });
window.addEventListener("online", () => schedule());
document.addEventListener("visibilitychange", () => { if (!document.hidden) schedule(0); });
setInterval(() => { if (!document.hidden && !document.getElementById("board-rows") && read()?.length) schedule(); }, REFRESH_INTERVAL);

// Leaderboard updates: moves changed rows to their new place with an animation and announces the changes. The server
// sends only the rows that changed. In each row, data-order is its sort key and data-place is the sentence to announce.
// In a table row the first cell is the place and the last is the total; other rows have the total in data-total.

const MOTION = { duration: 400, easing: "ease-out" }; // milliseconds
const MAX_ANNOUNCED = 3;
const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const announcements = new Map();
let before = null;
let focused; // the row whose link has the focus

const listRows = () => [...document.querySelectorAll("[data-sorted] > [data-order]")];
const getTop = (row) => row.getClientRects().length ? row.getBoundingClientRect().top : NaN; // hidden on another page
/** @param {HTMLElement & Partial<HTMLTableRowElement>} row */
const getPlace = ({ cells, dataset }) => cells ? cells[0].textContent.trim() : dataset.place;
/** @param {HTMLElement & Partial<HTMLTableRowElement>} row */
const getTotal = (row) => (row.cells ? row.lastElementChild : row.querySelector("[data-total]"))?.textContent.trim();
const getRank = (place) => parseInt(place, 10) || Infinity;

function remember() {
  focused = document.activeElement?.closest?.("[data-order]")?.id;
  before = new Map(listRows().map((row) => [row.id, { top: getTop(row), place: getPlace(row), total: getTotal(row) }]));
}

function arrange() {
  if (!before) return;
  const old = before;
  before = null;
  document.querySelectorAll("[data-sorted]").forEach(sort);
  document.dispatchEvent(new CustomEvent("board:sorted"));
  const row = focused && document.getElementById(focused);
  if (row && !row.contains(document.activeElement)) row.querySelector("a")?.focus({ preventScroll: true });
  const rows = listRows();
  if (!still.matches) move(rows, old);
  announceChanges(rows, old);
}

function sort(list) {
  const rows = [...list.children].sort((a, b) => collator.compare(a.dataset.order, b.dataset.order));
  let at = list.firstElementChild;
  for (const row of rows) {
    if (row === at) at = at.nextElementSibling;
    else list.insertBefore(row, at);
  }
}

function move(rows, old) {
  rows.forEach((row) => row.getAnimations().forEach((motion) => motion.cancel()));
  const isSeen = (top) => top > -100 && top < window.innerHeight;
  const tops = rows.map(getTop);
  rows.forEach((row, number) => {
    const from = getStart(old.get(row.id), row);
    const distance = from - tops[number];
    if (!(Math.abs(distance) >= 1) || !(isSeen(from) || isSeen(tops[number]))) return;
    row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], MOTION);
  });
}

// A row that comes from another page of the screen comes from below if it has moved up, and otherwise from above.
function getStart(was, row) {
  if (!was || !Number.isNaN(was.top) || !document.querySelector("[data-screen]")) return was?.top;
  const [from, to] = [getRank(was.place), getRank(getPlace(row))];
  if (from === to) return NaN;
  return to < from ? window.innerHeight - 1 : -row.offsetHeight;
}

function announceChanges(rows, old) {
  const moved = rows.filter((row) => row.dataset.place && getPlace(row) !== old.get(row.id)?.place);
  moved.forEach((row) => row.classList.add("is-changed"));
  const scored = moved.filter((row) => getTotal(row) !== old.get(row.id)?.total);
  const rose = moved.filter((row) => getRank(getPlace(row)) < getRank(old.get(row.id)?.place));
  // Not the rows of a board that was just opened.
  rose.filter((row) => [...row.parentElement.children].some(({ id }) => old.has(id))).forEach((row) => row.classList.add("is-risen"));
  if (document.querySelector("[data-announcement]")) return; // it is read out instead
  const mine = moved.filter((row) => row.classList.contains("is-mine")); // the bikes that this device has pinned
  if (mine.length) announcements.clear();
  for (const row of mine.length ? mine : scored.length ? scored : rose) announcements.set(row.id, row.dataset.place);
  if (announcements.size) document.dispatchEvent(new CustomEvent("say", { detail: describeChanges }));
}

function describeChanges() {
  const items = [...announcements.values()];
  const more = document.querySelector("[data-more]")?.dataset.more ?? "";
  const sentences = items.slice(0, MAX_ANNOUNCED).map((sentence) => `${sentence}.`);
  if (items.length > MAX_ANNOUNCED) sentences.push(more.replace("{count}", String(items.length - MAX_ANNOUNCED)));
  announcements.clear();
  return sentences.join(" ");
}

document.addEventListener("htmx:sseBeforeMessage", remember);
document.addEventListener("htmx:sseMessage", arrange);
// A page that polls receives the whole board, already sorted.
document.addEventListener("htmx:beforeSwap", ({ target }) => { if (target.matches("[data-live]")) remember(); });
document.addEventListener("htmx:afterSettle", arrange);

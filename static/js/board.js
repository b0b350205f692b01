// Rows that have a new place go there, are seen to, and are told of.
// The server sends the rows that changed; each says by data-order where it belongs and by data-place what is told of it.
// The first cell of a row is its place, the last its total; what is no row has its total in data-total.

const MOTION = { duration: 400, easing: "ease-out" }; // milliseconds
const MOST_TOLD = 3;
const inOrder = new Intl.Collator("en", { numeric: true });
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const news = new Map();
let before = null;
let focused; // the row whose link has the focus

const listRows = () => [...document.querySelectorAll("[data-sorted] > [data-order]")];
const getTop = (row) => row.getClientRects().length ? row.getBoundingClientRect().top : NaN; // hidden on another page
const getPlace = ({ cells, dataset }) => cells ? cells[0].textContent.trim() : dataset.place;
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
  tell(rows, old);
}

function sort(list) {
  const rows = [...list.children].sort((one, other) => inOrder.compare(one.dataset.order, other.dataset.order));
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
    const from = old.get(row.id)?.top;
    const way = from - tops[number];
    if (!(Math.abs(way) >= 1) || !(isSeen(from) || isSeen(tops[number]))) return;
    row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], MOTION);
  });
}

function tell(rows, old) {
  const moved = rows.filter((row) => row.dataset.place && getPlace(row) !== old.get(row.id)?.place);
  moved.forEach((row) => row.classList.add("is-changed"));
  const scored = moved.filter((row) => getTotal(row) !== old.get(row.id)?.total);
  const rose = moved.filter((row) => getRank(getPlace(row)) < getRank(old.get(row.id)?.place));
  for (const row of scored.length ? scored : rose) news.set(row.id, row.dataset.place);
  if (news.size) document.dispatchEvent(new CustomEvent("say", { detail: sayNews }));
}

function sayNews() {
  const told = [...news.values()];
  const more = document.querySelector("[data-more]")?.dataset.more ?? "";
  const sentences = told.slice(0, MOST_TOLD).map((sentence) => `${sentence}.`);
  if (told.length > MOST_TOLD) sentences.push(more.replace("{count}", told.length - MOST_TOLD));
  news.clear();
  return sentences.join(" ");
}

document.addEventListener("htmx:sseBeforeMessage", remember);
document.addEventListener("htmx:sseMessage", arrange);
// A page that asks by itself gets the whole board, in order.
document.addEventListener("htmx:beforeSwap", ({ target }) => { if (target.matches("[data-live]")) remember(); });
document.addEventListener("htmx:afterSettle", arrange);

// Rows that have a new place go there, are seen to, and are told of.
// The server sends the rows that changed; each says by data-order where it belongs and by data-place what is told of it.

const MOTION = { duration: 400, easing: "ease-out" }; // milliseconds
const MOST_TOLD = 3;
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const news = new Map();
let before = null;

const listRows = () => [...document.querySelectorAll("[data-sorted] > [data-order]")];
const getTop = (row) => row.getClientRects().length ? row.getBoundingClientRect().top : NaN; // hidden on another page
const read = (row, name) => row.querySelector(`[data-${name}]`)?.textContent.trim();

function remember() {
  before = new Map(listRows().map((row) => [row.id, {
    top: getTop(row),
    place: row.dataset.place,
    rank: parseInt(read(row, "rank"), 10) || Infinity,
    total: read(row, "total"),
  }]));
}

function arrange() {
  if (!before) return;
  const old = before;
  before = null;
  const focused = document.activeElement;
  document.querySelectorAll("[data-sorted]").forEach(sort);
  document.dispatchEvent(new CustomEvent("board:sorted"));
  if (focused !== document.activeElement) focused.focus({ preventScroll: true });
  const rows = listRows();
  if (!still.matches) move(rows, old);
  tell(rows, old);
}

function sort(list) {
  const order = (row) => row.dataset.order;
  const rows = [...list.children].sort((one, other) => order(one) < order(other) ? -1 : Number(order(one) > order(other)));
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
  const moved = rows.filter((row) => row.dataset.place && row.dataset.place !== old.get(row.id)?.place);
  moved.forEach((row) => row.classList.add("is-changed"));
  const scored = moved.filter((row) => read(row, "total") !== old.get(row.id)?.total);
  const rose = moved.filter((row) => parseInt(read(row, "rank"), 10) < (old.get(row.id)?.rank ?? Infinity));
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

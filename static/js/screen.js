// The big screen: shows ten rows at a time, turns the pages, and follows the reveal. While places are revealed, it stays
// at the announcement, then goes on to the podium or to the places so far, and waits there for the next step.

const ROWS = 10;
const IDLE_AFTER = 5_000; // milliseconds without input until the buttons disappear
const NEWS_STAY = 20_000; // milliseconds
let at = 0;
let isPaused = false;
let timer = 0;
let idleTimer = 0;
let newsTimer = 0;
let announced = ""; // the step whose announcement was shown

const getScreen = () => document.querySelector("[data-screen]");

function listPages() {
  return [...document.querySelectorAll("[data-board]")].flatMap((board) => {
    const rows = [...board.querySelectorAll("[data-sorted] > tr")];
    const count = Math.max(1, Math.ceil(rows.length / ROWS));
    return Array.from({ length: count }, (_, page) => ({ board, rows: rows.slice(page * ROWS, (page + 1) * ROWS) }));
  });
}

function show() {
  const pages = listPages();
  at = Math.min(at, Math.max(0, pages.length - 1));
  const shown = pages[at];
  document.querySelectorAll("[data-board]").forEach((board) => { board.hidden = board !== shown?.board; });
  pages.forEach((page) => page.rows.forEach((row) => { row.hidden = page !== shown; }));
  const label = document.querySelector("[data-page]");
  label.textContent = label.dataset.page.replace("{page}", String(at + 1)).replace("{last}", String(Math.max(1, pages.length)));
  updateControls();
  setTheme();
}

// The organiser can change the colours of a screen while it is open.
function setTheme() {
  const { look } = getScreen().dataset;
  if (look === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = look;
}

function turn(by) {
  const count = Math.max(1, listPages().length);
  at = (at + by + count) % count;
  show();
  scheduleTurn();
}

function scheduleTurn() {
  clearTimeout(timer);
  if (isPaused) return;
  const { phase, seconds } = getScreen().dataset;
  timer = setTimeout(() => phase === "revealing" ? followAnnouncement() : turn(1), Number(seconds) * 1000);
}

function followAnnouncement() {
  if (listPages()[at]?.board.matches("[data-followed]")) turn(1);
  else scheduleTurn();
}

// Only a new announcement is shown in two beats: the page may be sent again with the same one.
function markAnnouncement() {
  const { phase, step } = getScreen().dataset;
  const current = phase === "revealing" ? step : "";
  const isNew = current !== announced;
  announced = current;
  const announcement = document.querySelector("[data-announcement]");
  if (!isNew) announcement?.classList.add("is-old");
  else if (announcement) document.dispatchEvent(new CustomEvent("say", { detail: announcement.innerText }));
  return isNew;
}

function wakeControls() {
  document.body.classList.remove("is-idle");
  clearTimeout(idleTimer);
  idleTimer = setTimeout(() => document.body.classList.add("is-idle"), IDLE_AFTER);
}

function forgetNews() {
  const news = document.getElementById("status");
  clearTimeout(newsTimer);
  if (news.textContent) newsTimer = setTimeout(() => { news.textContent = ""; }, NEWS_STAY);
}

function pause() {
  isPaused = !isPaused;
  document.querySelector("[data-pause]").setAttribute("aria-pressed", String(isPaused));
  scheduleTurn();
}

// A user who is signed in at the screen can reveal places. The value of each button is the step that it leads to.
function updateControls() {
  const form = document.querySelector("[data-steer]");
  if (!form) return;
  const { phase, step } = getScreen().dataset;
  form.hidden = phase !== "revealing";
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = form.querySelectorAll("[data-by]");
  buttons.forEach((button) => {
    button.value = String(Math.max(0, Number(step) + Number(button.dataset.by)));
  });
}

function press(by) {
  const form = document.querySelector("[data-steer]:not([hidden])");
  if (form) form.querySelector(`[data-by="${by}"]`).click();
  else turn(by);
}

const KEYS = {
  " ": pause,
  ArrowRight: () => turn(1),
  ArrowLeft: () => turn(-1),
  ArrowDown: () => turn(1),
  ArrowUp: () => turn(-1),
  Enter: () => press(1),
  PageDown: () => press(1),
  PageUp: () => press(-1),
};

document.addEventListener("keydown", (event) => {
  const isHandled = event.target.closest("button, a") && [" ", "Enter"].includes(event.key);
  if (!KEYS[event.key] || isHandled || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  KEYS[event.key]();
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-turn]");
  if (button) turn(Number(button.dataset.turn));
  else if (target.closest?.("[data-pause]")) pause();
});

document.addEventListener("board:sorted", () => {
  const isNew = markAnnouncement();
  if (isNew) at = 0;
  show();
  if (isNew) scheduleTurn();
});

// The rows of another page would light up again when it is turned to.
document.addEventListener("animationend", ({ target, animationName }) => {
  if (animationName === "risen" && target instanceof Element) target.classList.remove("is-risen");
});

["pointermove", "pointerdown", "keydown", "focusin"].forEach((kind) => document.addEventListener(kind, wakeControls));
new MutationObserver(forgetNews).observe(document.getElementById("status"), { childList: true, characterData: true, subtree: true });

document.querySelector("[data-pages]").hidden = false;
markAnnouncement();
wakeControls();
show();
scheduleTurn();

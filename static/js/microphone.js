// The page at the microphone: goes from one announcement to the next at once, and makes the screens follow.
//
// Only the last wanted step is sent, as soon as there is a connection. The server is told between which steps this page
// may have left the screens, so that a move that arrives twice, late or beside another tablet's changes nothing twice.

const ASK_AGAIN = 3000; // milliseconds
const ANSWER_WITHIN = 5000; // milliseconds
const DOUBLE_TAP = 400; // milliseconds: a second tap within them is not meant

const items = [...document.querySelectorAll("[data-item]")];
const forms = [.../** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-by]"))];
const status = document.querySelector("[data-status]");
const readField = (name) => /** @type {HTMLInputElement} */ (forms[0].elements.namedItem(name)).value;
const reveal = readField("reveal");
const getStep = () => at; // each item is a step

let at = items.findIndex((item) => !item.hidden);
let lowest = Number(readField("lowest")); // where this page may have left the screens
let highest = lowest;
let isBusy = false;
let timer = 0;
let lastTap = -Infinity;

function show(position) {
  at = position;
  items.forEach((item, number) => { item.hidden = number !== at; });
  forms.forEach((form) => { form.querySelector("button").disabled = !items[at + Number(form.dataset.by)]; });
  const coming = document.querySelector("[data-coming]");
  coming.textContent = items[at + 1]?.dataset.summary ?? coming.dataset.last;
  const count = document.querySelector("[data-count]");
  count.textContent = count.dataset.count.replace("{number}", String(at + 1)).replace("{last}", String(items.length));
  window.scrollTo(0, 0);
}

function move(by) {
  const now = performance.now();
  if (!items[at + by] || now - lastTap < DOUBLE_TAP) return;
  lastTap = now;
  show(at + by);
  follow();
}

function report(what) {
  const text = status.dataset[what];
  status.classList.toggle("is-behind", !["connected", "sending"].includes(what));
  if (status.textContent !== text) status.textContent = text;
}

const isConfirmed = () => lowest === highest && highest === getStep();

// Sends the wanted step if the screens are not known to show it, and asks where they are otherwise.
async function follow() {
  if (isBusy) return;
  isBusy = true;
  clearTimeout(timer);
  const wanted = getStep();
  try {
    await (isConfirmed() ? ask({}) : send(wanted));
  } catch (error) {
    // It may have arrived all the same.
    lowest = Math.min(lowest, wanted);
    highest = Math.max(highest, wanted);
    report(error instanceof ServerError ? "failed" : "offline");
  }
  isBusy = false;
  if (getStep() !== wanted) follow();
  else timer = setTimeout(follow, ASK_AGAIN);
}

class ServerError extends Error {}

async function send(step) {
  const body = new FormData(forms[0]);
  const fields = { to: step, lowest, highest };
  Object.entries(fields).forEach(([name, value]) => body.set(name, value));
  await ask({ method: "POST", body });
}

async function ask(options) {
  const before = getStep();
  const headers = { Accept: "application/json" };
  const signal = AbortSignal.timeout(ANSWER_WITHIN);
  const response = await fetch(forms[0].action, { ...options, headers, signal, redirect: "manual" });
  if (response.type === "opaqueredirect" || [403, 404].includes(response.status)) {
    report("signedOut");
    return;
  }
  if (!response.ok) throw new ServerError(String(response.status));
  const shown = await response.json();
  if (shown.reveal !== reveal || shown.step === null) {
    report("changed");
    return;
  }
  lowest = highest = shown.step;
  report("connected");
  // Someone else has moved the screens.
  if (shown.step !== before && getStep() === before && items[shown.step]) show(shown.step);
}

const KEYS = { ArrowRight: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1, PageUp: -1 };

document.addEventListener("keydown", (event) => {
  const isHandled = event.target.closest("button, a") && [" ", "Enter"].includes(event.key);
  if (!KEYS[event.key] || isHandled || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (!event.repeat) move(KEYS[event.key]);
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-by]")) return;
  event.preventDefault();
  move(Number(event.target.dataset.by));
});

// Without a connection, the page could not be loaded again.
window.addEventListener("beforeunload", (event) => {
  if (status.classList.contains("is-behind")) event.preventDefault();
});

window.addEventListener("online", follow);
follow();

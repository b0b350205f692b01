// The page that tests dice: counts taps at once, keeps them on this phone, and sends all throws until the server has them.
//
// Every request has all throws and the revision that they are based on, so one that arrives twice changes nothing.
// Without this script, each tap is a request of its own.

/** @type {HTMLFormElement} */
const form = document.querySelector("form[data-dice-test]");
const storageKey = `dice-test-${form.dataset.diceTest}`;
const most = Number(form.dataset.most);
const faces = [.../** @type {NodeListOf<HTMLButtonElement>} */ (form.querySelectorAll("[data-position]"))];
/** @type {HTMLButtonElement} */
const undo = form.querySelector("[name=undo]");
const words = faces.map((button) => (button.querySelector(".die__word, .die__digit, .die__label") ?? button).textContent.trim());

const ASK_AGAIN = 3000; // milliseconds
const ANSWER_WITHIN = 10000; // milliseconds

const parse = (text) => (text ? text.split(",").map(Number) : []);
const isSame = (a, b) => a.join() === b.join();
const startsWith = (all, first) => isSame(all.slice(0, first.length), first);

// What the server is known to have, what was entered here, and what was sent last: its response may have been lost.
let stored = { revision: Number(form.dataset.revision), throws: parse(form.dataset.throws) };
let throws = stored.throws;
let base = stored;
let sent = null;
let isBusy = false;
let timer = 0;

function keep() {
  try {
    if (isSame(throws, stored.throws)) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, JSON.stringify({ base, throws, sent }));
  } catch { /* Storage may be full or forbidden; the page still sends. */ }
}

function restore() {
  let kept = null;
  try { kept = JSON.parse(localStorage.getItem(storageKey)); } catch { /* Nothing is kept. */ }
  if (!kept) return;
  ({ base, throws, sent } = kept);
  if (base.revision !== stored.revision) merge(stored);
}

// Puts what was entered here on top of what the server has.
function merge(theirs) {
  const isOwn = sent && isSame(theirs.throws, sent);
  if (!isOwn && !startsWith(throws, theirs.throws)) {
    const added = startsWith(throws, base.throws) ? throws.slice(base.throws.length) : [];
    throws = [...theirs.throws, ...added].slice(0, most);
    report("added");
  }
  base = stored = theirs;
}

function show() {
  faces.forEach((button, position) => {
    button.querySelector("[data-face-count]").textContent = String(throws.filter((face) => face === position).length);
    button.disabled = throws.length >= most;
  });
  undo.disabled = !throws.length;
  const count = document.querySelector("[data-throw-count]");
  count.textContent = count.dataset.count.replace("{count}", String(throws.length));
  form.querySelector("[data-last-throws]").textContent = throws.slice(-6).map((face) => words[face]).join(" ");
}

function report(what) {
  const line = form.querySelector("[data-sync]");
  if (line.textContent !== form.dataset[what]) line.textContent = form.dataset[what];
}

async function send() {
  if (isBusy || isSame(throws, stored.throws)) return;
  isBusy = true;
  clearTimeout(timer);
  report("sending");
  try {
    await post();
  } catch {
    report("waiting");
  }
  isBusy = false;
  keep();
  if (!isSame(throws, stored.throws)) timer = setTimeout(send, form.dataset.hurry ? 0 : ASK_AGAIN);
}

async function post() {
  const sending = throws;
  sent = sending;
  keep();
  const body = new FormData(form);
  body.set("revision", String(base.revision));
  body.set("throws", sending.join());
  const signal = AbortSignal.timeout(ANSWER_WITHIN);
  const headers = { Accept: "application/json" };
  delete form.dataset.hurry;
  const response = await fetch(form.action, { method: "POST", body, headers, signal, redirect: "manual" });
  if (response.type === "opaqueredirect" || [403, 404, 422].includes(response.status)) {
    report("refused");
    return;
  }
  if (!response.ok && response.status !== 409) throw new Error(String(response.status));
  const { revision, throws: theirs, result } = await response.json();
  form.dataset.hurry = "now"; // there is a connection
  if (response.ok) {
    base = stored = { revision, throws: theirs };
    report("sent");
    document.querySelector("[data-test-result]").innerHTML = result;
  } else {
    merge({ revision, throws: theirs });
    show();
  }
  sent = null;
  /** @type {HTMLInputElement} */ (form.elements.namedItem("revision")).value = revision;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const position = event.submitter?.dataset.position;
  if (position !== undefined && throws.length < most) throws = [...throws, Number(position)];
  else if (event.submitter === undo) throws = throws.slice(0, -1);
  keep();
  show();
  send();
});

window.addEventListener("online", send);
restore();
show();
send();

// At a table the button that notes an action opens once its dice are in; how many that are may hang on the dice that
// are marked above it. Marking takes no tapped die away. What was folded open or shut stays so while the phone is at
// tables. A draft that was begun, or is on its way, while the page was asking for news is not replaced by the answer.

function readRange(entry, offer) {
  const [low, high] = [Number(entry.dataset.low), Number(entry.dataset.high)];
  if (!entry.dataset.pick) return [low, high];
  const picked = offer.querySelectorAll(`[name="${entry.dataset.pick}"]:checked`).length;
  if (entry.dataset.pickIs === "less") return [Math.max(0, low - picked), Math.max(0, high - picked)];
  return picked ? [picked, picked] : [low, high];
}

function makeRoom(entry, most) {
  [...entry.querySelectorAll("[data-dice-places] > li")].forEach((cell, place) => {
    cell.hidden = place >= most && !cell.querySelector("input[type=hidden]");
  });
}

function settle(offer) {
  const entries = [...offer.querySelectorAll("[data-dice-entry]")];
  const isIn = entries.map((entry) => {
    const [low, high] = readRange(entry, offer);
    makeRoom(entry, high);
    const dice = entry.querySelectorAll("[data-dice-places] input[type=hidden]").length;
    return "optional" in entry.dataset && dice === 0 || dice >= low && dice <= high;
  });
  const note = offer.querySelector("[data-note]");
  if (note) note.disabled = !isIn.every(Boolean);
}

const settleAll = () => document.querySelectorAll("[data-offer]").forEach(settle);

for (const kind of ["change", "dice"]) {
  document.addEventListener(kind, ({ target }) => {
    const offer = target.closest?.("[data-offer]");
    if (offer) settle(offer);
  });
}

// Of folds with one name a page has one open at most: the new one would come in closed while the old one is still there.
function ungroupFolds() {
  document.querySelectorAll("#table details[name]").forEach((fold) => fold.removeAttribute("name"));
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const isPoll = detail.requestConfig?.elt.matches("[data-poll]");
  const isBusy = document.querySelector("#entry:is([aria-busy='true'], :has([data-dice-local], [name*=':']:checked))");
  if (isPoll && isBusy && detail.target.id === "table") detail.shouldSwap = false;
  if (!detail.shouldSwap) return;
  ungroupFolds();
  // What the page told when it was opened is old by now.
  if (!isPoll) document.querySelector(".notices:not(#not-sent)")?.remove();
});

document.addEventListener("toggle", ({ target }) => {
  if (target.matches?.("[data-kept]")) sessionStorage.setItem(`fold:${target.id}`, target.open ? "open" : "shut");
}, true);

function foldAsLeft() {
  document.querySelectorAll("[data-kept]").forEach((fold) => {
    const left = sessionStorage.getItem(`fold:${fold.id}`);
    if (left) fold.open = left === "open";
  });
}

function prepare() {
  settleAll();
  foldAsLeft();
}

document.addEventListener("htmx:load", prepare);
prepare();

// Counts down the seconds of the undo bar and then removes it, unless the bar has the focus.
// Without this script the bar stays. A turn can also be corrected later, from the history.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

function start(bar) {
  if ("counting" in bar.dataset) return;
  bar.dataset.counting = "";
  const counter = bar.querySelector("[data-undo-left]");
  let left = Number(bar.dataset.seconds);
  counter.textContent = left;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) counter.textContent = left;
    if (left > 0 || bar.contains(document.activeElement)) return;
    clearInterval(timer);
    bar.remove();
    for (const next of document.querySelectorAll("[data-after-undo]")) next.hidden = false;
  }, 1000);
}

const startAll = () => document.querySelectorAll("[data-undo]").forEach(start);
document.addEventListener("htmx:load", startAll);
startAll();

// The undo bar counts its seconds down and leaves; whoever is just using it is waited for.
// Without this script it simply stays. A correction is possible later too, from the history.

function start(bar) {
  if ("counting" in bar.dataset) return;
  bar.dataset.counting = "";
  const shown = bar.querySelector("[data-undo-left]");
  let left = Number(bar.dataset.seconds);
  shown.textContent = left;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) shown.textContent = left;
    if (left > 0 || bar.contains(document.activeElement)) return;
    clearInterval(timer);
    bar.remove();
  }, 1000);
}

const startAll = () => document.querySelectorAll("[data-undo]").forEach(start);
document.addEventListener("htmx:load", startAll);
startAll();

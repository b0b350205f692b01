// Keeps the live desk up to date: asks for the rows that have changed when the stream says that something has, and now
// and then for the whole grid, since a stop closes without an entry. The stream says nothing about what has changed.

const FALLBACK_INTERVAL = 15_000; // without a stream
const WHOLE_INTERVAL = 60_000;

const changes = document.getElementById("grid-changes");

function ask() { if (!document.hidden) window.htmx.trigger(changes, "grid-changed"); }

function askForWhole() {
  document.getElementById("grid-position").value = "";
  ask();
}

function count() {
  for (const line of document.querySelectorAll("[data-count]")) {
    const found = document.querySelectorAll(`#grid-rows .cell--${line.dataset.count}`).length;
    line.hidden = !found;
    line.querySelector("strong").textContent = found;
  }
}

if (changes) {
  const source = new EventSource(changes.dataset.stream);
  source.addEventListener("rows", ask);
  setInterval(() => { if (source.readyState !== EventSource.OPEN) ask(); }, FALLBACK_INTERVAL);
  setInterval(askForWhole, WHOLE_INTERVAL);
  document.addEventListener("visibilitychange", ask);
  document.addEventListener("htmx:afterSettle", count);
  document.addEventListener("htmx:oobAfterSwap", count);
}

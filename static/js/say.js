// The one polite voice of the page. Others dispatch `say` on the document with the text as detail, or a function that
// returns it once it is its turn; at most one text is said in ten seconds, and of those that had to wait the latest wins.

const PAUSE = 10_000;
let quietUntil = 0;
let waiting = null;
let timer = null;

function speak() {
  timer = null;
  const region = document.getElementById("status");
  if (!region || waiting === null) return;
  region.textContent = typeof waiting === "function" ? waiting() : waiting;
  waiting = null;
  quietUntil = performance.now() + PAUSE;
}

document.addEventListener("say", (event) => {
  waiting = event.detail;
  timer ??= setTimeout(speak, Math.max(0, quietUntil - performance.now()));
});

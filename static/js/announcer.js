// Announces text politely in the page's only live region. Other scripts dispatch `say` on the document, with the text
// as detail, or with a function that returns it when it is announced. At most one text is announced in ten seconds; of
// the texts that arrive meanwhile, only the latest is announced.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const MIN_INTERVAL = 10_000;
let quietUntil = 0;
let queued = null;
let timer = null;

function announce() {
  timer = null;
  const region = document.getElementById("status");
  if (!region || queued === null) return;
  region.textContent = typeof queued === "function" ? queued() : queued;
  queued = null;
  quietUntil = performance.now() + MIN_INTERVAL;
}

document.addEventListener("say", (event) => {
  queued = event.detail;
  timer ??= setTimeout(announce, Math.max(0, quietUntil - performance.now()));
});

// Keeps the display awake while the page is visible, and shows a hint where the browser refuses.

let lock = null;

async function keepAwake() {
  if (lock || document.hidden) return;
  const hint = document.querySelector("[data-wake-hint]");
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; });
    hint.hidden = true;
  } catch {
    hint.hidden = false;
  }
}

document.addEventListener("visibilitychange", keepAwake);
keepAwake();

// Stops a second tap at the same place from pressing what the first tap has brought there. A glove or a bumpy hand taps
// twice, and by then the page may show another control at that place, such as a link in the place of a box.
//
// - A control that appears at the place of the last tap takes no tap in its first 700 ms, nor within 1.1 s of that tap.
//   The keyboard and assistive technology can press it at once.
// - A control that was there before the tap, and a face of the dice pad that comes back, can be tapped as fast as one likes.
// - A page that the tap did not lead to is not guarded, and a tap that has begun is not stopped halfway.
// - Undo takes no tap in its first 700 ms wherever it appears: the style sheet sees to that, also without this script.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const CONTROL = "a[href], button, input:not([type=hidden]), label, select, summary, textarea";
const FACE = "[data-dice-pad] button";
const REACH = 32; // CSS pixels between the tap and the control: a bouncing finger does not hit the same pixel
const MIN_AGE = 700; // milliseconds
const MIN_PAUSE = 1_100; // milliseconds
const MAX_PAUSE = 10_000; // milliseconds: what appears later has nothing to do with the tap
const STORAGE_KEY = "tap";

let tap = readTap();
let isPressed = false;
let appeared = Date.now();

/** The last tap of the page before, if it was left for this one. */
function readTap() {
  const stored = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  return stored ? { known: new WeakSet(), face: "", isAnswered: true, ...JSON.parse(stored) } : null;
}

const describeFace = (control) => (control?.matches(FACE) ? `${control.name} ${control.value}` : "");

window.addEventListener("click", (event) => {
  if (event.detail === 0) return; // a key, or a script
  const target = /** @type {HTMLElement} */ (event.target);
  const known = new WeakSet(document.querySelectorAll(CONTROL));
  tap = { x: event.clientX, y: event.clientY, at: Date.now(), known, face: describeFace(target.closest(FACE)), isAnswered: false };
}, true);
window.addEventListener("pointerdown", () => { isPressed = true; }, true);
for (const kind of ["click", "pointercancel"]) window.addEventListener(kind, () => { isPressed = false; }, true);
// After the click that may follow it.
window.addEventListener("pointerup", () => setTimeout(() => { isPressed = false; guardControls(); }), true);

function isUnderTap(control) {
  const { left, right, top, bottom } = control.getBoundingClientRect();
  const isDrawn = right > left && bottom > top;
  return isDrawn && tap.x > left - REACH && tap.x < right + REACH && tap.y > top - REACH && tap.y < bottom + REACH;
}

function guardControls() {
  const now = Date.now();
  if (!tap || isPressed || now - tap.at > MAX_PAUSE) return;
  const wait = Math.max(appeared + MIN_AGE, tap.at + MIN_PAUSE) - now;
  if (wait <= 0) return;
  const fresh = [...document.querySelectorAll(CONTROL)].filter((control) => !tap.known.has(control) && !("guarded" in control.dataset));
  for (const control of fresh.filter(isUnderTap)) {
    if (tap.face && describeFace(control) === tap.face) continue;
    control.dataset.guarded = "";
    setTimeout(() => { delete control.dataset.guarded; }, wait);
  }
}

// Once more in the next frame: htmx scrolls after it has told of the new content.
function onContent() {
  appeared = Date.now();
  if (tap) tap.isAnswered = true;
  guardControls();
  requestAnimationFrame(guardControls);
}

for (const kind of /** @type {const} */ (["htmx:afterSwap", "htmx:afterSettle", "phone:page", "phone:list"])) document.addEventListener(kind, onContent);
document.addEventListener("scroll", guardControls, { passive: true });
window.addEventListener("pagehide", () => {
  if (tap && !tap.isAnswered) sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ x: tap.x, y: tap.y, at: tap.at }));
});
onContent();

// Activates a new version of the app only when the user asks for it, and never while an entry has been begun. Entries
// are in the database, which an update does not touch.

import { hasDraft } from "./drafts.js";

const TAKE_OVER_INTERVAL = 2_000; // milliseconds

let registration = null;
let isActivating = false;

export async function register() {
  registration = await navigator.serviceWorker.register("/sw.js", { scope: "/", updateViaCache: "none" });
  if (!registration) return null;
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", dispatchUpdate);
  });
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (isActivating) location.reload(); });
  dispatchUpdate();
  return registration;
}

const dispatchUpdate = () => document.dispatchEvent(new CustomEvent("phone:update"));

/** Return whether an update is ready: there is a new version, and it is not the first. */
export const isReady = () => Boolean(registration?.waiting && registration.active);

/** Activate the new version; return false if the user has begun an entry. */
export function activate() {
  if (hasDraft()) return false;
  isActivating = true;
  takeOver();
  return true;
}

// The browser lets the new version take over once the old one waits for nothing. What it waits for now is for a page that
// is about to be replaced; only forms are completed. Repeated, since something else may have begun to wait meanwhile.
function takeOver() {
  if (!registration.waiting) return;
  navigator.serviceWorker.controller?.postMessage({ tell: "stop-waiting" });
  registration.waiting.postMessage({ tell: "take-over" });
  setTimeout(takeOver, TAKE_OVER_INTERVAL);
}

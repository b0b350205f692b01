// Activates a new version of the app only when the user asks for it, and never while an entry has been begun. Entries
// are in the database, which an update does not touch.

import { hasDraft } from "./drafts.js";

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
  registration.waiting.postMessage({ tell: "take-over" });
  return true;
}

// A new version of the app waits until somebody takes it, and is not taken while a note has been begun. What was noted
// lies in the database, which a version does not touch.

import { hasBegun } from "./drafts.js";

let registration = null;
let isTaking = false;

export async function register() {
  registration = await navigator.serviceWorker.register("/sw.js", { scope: "/", updateViaCache: "none" });
  if (!registration) return null;
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", tell);
  });
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (isTaking) location.reload(); });
  tell();
  return registration;
}

const tell = () => document.dispatchEvent(new CustomEvent("phone:update"));

/** Whether a new version waits: there is one, and it is not the first. */
export const isReady = () => Boolean(registration?.waiting && registration.active);

/** Take the new version; false where a note has been begun. */
export function take() {
  if (hasBegun()) return false;
  isTaking = true;
  registration.waiting.postMessage({ tell: "take-over" });
  return true;
}

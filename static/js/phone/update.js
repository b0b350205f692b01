// Activates a new version of the app only when the user asks for it, and never while an entry has been begun. Entries
// are in the database, which an update does not touch.

import { hasDraft } from "./drafts.js";

const STOP_INTERVAL = 2_000; // milliseconds

const channel = new BroadcastChannel("tailgunner-update");
/** @type {ServiceWorkerRegistration | null} */
let registration = null;
/** @type {ServiceWorker | null} */
let activating = null; // the version that was told to take over
let isLeaving = false; // a form was sent whose answer takes the place of this page

// Loading the page again would cancel a form that was sent, such as the one that uses a crew link up.
document.addEventListener("submit", (event) => setTimeout(() => { isLeaving ||= !event.defaultPrevented; }));
addEventListener("pageshow", () => { isLeaving = false; });

export async function register() {
  const found = await navigator.serviceWorker.register("/sw.js", { scope: "/", updateViaCache: "none" });
  registration = found;
  if (!found) return null;
  // The browser may have found a version while this page was being loaded, before anything here could listen.
  const follow = () => found.installing?.addEventListener("statechange", dispatchUpdate);
  found.addEventListener("updatefound", follow);
  follow();
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (activating && !isLeaving) location.reload(); });
  dispatchUpdate();
  return found;
}

const dispatchUpdate = () => document.dispatchEvent(new CustomEvent("phone:update"));

/** Return whether an update is ready: there is a new version, and it is not the first. */
export const isReady = () => Boolean(registration?.waiting && registration.active);

/** Return whether a new version is taking over. A message to the old one would start it again, and the browser asks it to
 * end only once: the new version would then wait until the old one has been idle for half a minute. */
export const isActivating = () => Boolean(activating);

/**
 * Send a message to a version of the app.
 * @param {ServiceWorker | null} version
 * @param {MessageToServiceWorker} message
 */
export const tellServiceWorker = (version, message) => version?.postMessage(message);

/** Look for a new version, unless one has been found. Its download is taken up again where it was interrupted. */
export function look() {
  if (registration?.active && !registration.installing && !registration.waiting) {
    registration.update().catch((error) => console.debug("No new version can be found:", error.message));
  }
}

/** Activate the new version; return false if the user has begun an entry, or has just sent a form. */
export function activate() {
  if (hasDraft() || isLeaving) return false;
  const waiting = registration?.waiting;
  if (waiting && waiting !== activating) {
    activating = waiting;
    tellServiceWorker(waiting, { tell: "take-over" });
    stopWaiting();
  }
  return true;
}

// The browser lets the new version take over once the old one waits for nothing. What it waits for now is for a page that
// is about to be replaced; only forms are completed. Repeated, since something else may have begun to wait meanwhile.
function stopWaiting() {
  if (registration?.waiting !== activating) return;
  channel.postMessage(/** @satisfies {UpdateMessage} */ ("stop-waiting"));
  setTimeout(stopWaiting, STOP_INTERVAL);
}

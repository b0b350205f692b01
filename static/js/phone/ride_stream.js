// Listens to the server's stream of changes to the ride while the page is visible, and refreshes the copy of the ride
// after each change. If there is no stream, as without signal or with a server that has none, the copy is still
// refreshed periodically.

import { getOwner } from "./owner.js";
import { refresh } from "./ride_copy.js";

const RETRY_DELAY = 30_000; // after a refusal; browsers reconnect by themselves after a lost connection
const REFRESH_INTERVAL = 3_000; // between two refreshes: on a busy day something changes constantly

/** @type {EventSource | null} */
let source = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let isRefreshing = false;
let isWanted = false;

export function start() {
  document.addEventListener("visibilitychange", connect);
  document.addEventListener("phone:ride", connect); // the copy names the ride
  connect();
}

async function connect() {
  const event = document.hidden ? null : (await getOwner())?.event;
  const address = event && new URL(`/events/${event}/changes-stream`, location.href).href;
  if (source && source.url === address && source.readyState !== EventSource.CLOSED) return;
  stop();
  if (!address) return;
  const fresh = new EventSource(address);
  source = fresh;
  fresh.addEventListener("rows", onChange);
  fresh.addEventListener("error", () => {
    if (source !== fresh) return;
    if (fresh.readyState !== EventSource.CLOSED) {
      refresh(); // the connection was lost: the server may be away
      return;
    }
    stop();
    timer = setTimeout(connect, RETRY_DELAY);
  });
}

function stop() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

// Changes that arrive between two refreshes are covered by the next one.
async function onChange() {
  isWanted = true;
  if (isRefreshing) return;
  isRefreshing = true;
  while (isWanted) {
    isWanted = false;
    await refresh();
    await new Promise((resolve) => { setTimeout(resolve, REFRESH_INTERVAL); });
  }
  isRefreshing = false;
}

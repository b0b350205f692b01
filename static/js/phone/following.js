// Hears from the server that something of the ride has changed, as long as somebody looks at the page, and has the copy of
// the ride refreshed. Where there is no stream, as without signal or under a server that has none, the copy is refreshed
// now and then as before.

import { getOwner } from "./owner.js";
import { refresh } from "./ride.js";

const TRY_AGAIN = 30_000; // after a refusal; a lost connection the browser takes up again by itself
const REST = 3_000; // between two refreshes: on a busy day something changes all the time

let source = null;
let timer = 0;
let isRefreshing = false;
let isWanted = false;

export function start() {
  document.addEventListener("visibilitychange", follow);
  document.addEventListener("phone:ride", follow); // it tells which ride it is
  follow();
}

async function follow() {
  const event = document.hidden ? null : (await getOwner())?.event;
  const address = event && new URL(`/events/${event}/changes-stream`, location.href).href;
  if (source && source.url === address && source.readyState !== EventSource.CLOSED) return;
  stop();
  if (!address) return;
  source = new EventSource(address);
  source.addEventListener("rows", hear);
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return;
    stop();
    timer = setTimeout(follow, TRY_AGAIN);
  });
}

function stop() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

// What comes during a rest is seen to after it, all at once.
async function hear() {
  isWanted = true;
  if (isRefreshing) return;
  isRefreshing = true;
  while (isWanted) {
    isWanted = false;
    await refresh();
    await new Promise((resolve) => { setTimeout(resolve, REST); });
  }
  isRefreshing = false;
}

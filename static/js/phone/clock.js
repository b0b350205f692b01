// How far this phone's clock is off, by the times that the server says.

import { setFact } from "./store.js";

/**
 * Remember how far the clock is ahead of the server's.
 * @param {?string} serverTime as the server said it; nothing is remembered where it said none.
 * @param {number} started when it was asked, by this phone's clock, in milliseconds.
 */
export async function noteClock(serverTime, started) {
  const now = (started + Date.now()) / 2;
  const time = Date.parse(serverTime);
  if (time) await setFact("clock", { ahead: now - time, noted: Date.now() });
}

// Measures how far this phone's clock is off, by the server's time.

import { setFact } from "./store.js";

/**
 * Record how far the phone's clock is ahead of the server's.
 * @param {string | null | undefined} serverTime as the server sent it; nothing is recorded if there is none.
 * @param {number} started when the request started, by this phone's clock, in milliseconds.
 */
export async function recordClockOffset(serverTime, started) {
  const now = (started + Date.now()) / 2;
  const time = Date.parse(serverTime ?? "");
  if (time) await setFact("clock", { ahead: now - time, noted: Date.now() });
}

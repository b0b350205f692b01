import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff } from "../../static/js/phone/backoff.js";

/** Assert that a pause is as long as expected, give or take a quarter. */
function assertPause(pause, expected) {
  assert.ok(pause >= expected * 0.75 && pause < expected * 1.25, `${pause} is not about ${expected}`);
}

test("pauses double up to the longest", () => {
  const backoff = new Backoff(2_000, 30_000);
  for (const expected of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) assertPause(backoff.next(), expected);
});

test("after a success they begin again", () => {
  const backoff = new Backoff(2_000, 30_000);
  for (let times = 0; times < 5; times += 1) backoff.next();
  backoff.reset();
  assertPause(backoff.next(), 2_000);
});

test("two phones do not come back at the same moment", () => {
  const pauses = Array.from({ length: 50 }, () => new Backoff(2_000, 30_000).next());
  assert.ok(Math.max(...pauses) - Math.min(...pauses) > 100);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { formatClock, formatMoment, usesHalfDays } from "../../static/js/clock_times.js";

test("a locale says whether its people write am and pm", () => {
  assert.equal(usesHalfDays("en-US"), true);
  assert.equal(usesHalfDays("en-CA"), true);
  assert.equal(usesHalfDays("en-GB"), false);
  assert.equal(usesHalfDays("de-DE"), false);
  assert.equal(usesHalfDays("en-US-u-hc-h23"), false);
});

test("a time of 24 hours gets am or pm", () => {
  const times = { "00:00": "12:00 am", "00:59": "12:59 am", "09:05": "9:05 am", "12:00": "12:00 pm", "17:42:10": "5:42:10 pm", "23:59": "11:59 pm" };
  for (const [text, expected] of Object.entries(times)) {
    assert.equal(formatClock(text, true), expected);
    assert.equal(formatClock(text, false), text);
    assert.equal(formatClock(expected, true), expected, "what is formatted stays as it is");
  }
});

test("another text stays as it is", () => {
  for (const text of ["", "noon", "1:2", "17:42 pm", "20 Jun, 17:42"]) assert.equal(formatClock(text, true), text);
});

test("a moment is shown by the ride's offset from UTC", () => {
  const moment = new Date("2026-06-20T18:05:00Z");
  assert.equal(formatMoment(moment, -6 * 3600, false), "12:05");
  assert.equal(formatMoment(moment, -6 * 3600, true), "12:05 pm");
  assert.equal(formatMoment(moment, 5.75 * 3600, false), "23:50");
  assert.equal(formatMoment(new Date("2026-06-20T06:00:00Z"), -6 * 3600, false), "00:00");
});

test("without the ride's offset, the phone's own is used", () => {
  const moment = new Date(2026, 5, 20, 9, 30);
  assert.equal(formatMoment(moment, undefined, false), "09:30");
});

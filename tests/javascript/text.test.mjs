import assert from "node:assert/strict";
import { test } from "node:test";

import { fillText } from "../../static/js/phone/text.js";

test("every gap with a word is filled, and every other one stays", () => {
  assert.equal(fillText("{n} of {n} from {name}, {other}", { n: 2, name: "Ann" }), "2 of 2 from Ann, {other}");
});

test("a word is shown as it is, whatever characters it has", () => {
  assert.equal(fillText("Sent as {name}.", { name: "Cash $& Carry $1 $$" }), "Sent as Cash $& Carry $1 $$.");
});

test("a word that looks like a gap is not filled", () => {
  assert.equal(fillText("{name}: {n}", { name: "{n}", n: 3 }), "{n}: 3");
});

test("what every object has is no word", () => {
  assert.equal(fillText("{constructor} {toString}", {}), "{constructor} {toString}");
});

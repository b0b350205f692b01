import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.mjs";

const { isShownIn } = await import("../../static/js/phone/sync_marks.js");

const row = { slots: ["parks"], turns: ["turn-at-parks"], classes: ["bike-row", "bike-row--done"] };
const turn = { id: "1", kind: "turn", bike: "8" };
const correction = { id: "2", kind: "amend", bike: "8", targets: [{ turn: "turn-at-parks" }] };

test("a turn marks the row of its own stop only", () => {
  assert.equal(isShownIn(turn, ["parks"], row), true);
  assert.equal(isShownIn(turn, ["bbq"], row), false);
});

test("a correction marks the rows that show the turn, or the stop where it was", () => {
  assert.equal(isShownIn(correction, [], row), true);
  assert.equal(isShownIn(correction, ["parks"], { ...row, turns: [] }), true, "it was undone");
  assert.equal(isShownIn(correction, ["parks"], { slots: ["bbq"], turns: [], classes: ["bike-row"] }), false);
});

test("an entry about the bike itself marks the rows that say so", () => {
  const retirement = { id: "3", kind: "retire", bike: "8" };
  assert.equal(isShownIn({ id: "4", kind: "register_bike", bike: "8" }, [], row), true);
  assert.equal(isShownIn(retirement, [], row), false, "the turn there was sent before");
  assert.equal(isShownIn(retirement, [], { ...row, classes: ["bike-row", "bike-row--retired"] }), true);
  assert.equal(isShownIn({ id: "5", kind: "check_in", bike: "8" }, [], row), false);
});

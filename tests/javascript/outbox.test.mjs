import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { clearDatabase } from "./browser.mjs";
import * as outbox from "../../static/js/phone/outbox.js";

mock.timers.enable({ apis: ["setTimeout"] });

const ANN = { device: "d1", member: "ann", event: "ride", name: "Ann", is_practice: false, is_draft: false };
const BOB = { ...ANN, device: "d2", member: "bob", name: "Bob" };

const range = (count) => Array.from({ length: count }, (_, index) => index);
const store = (ids, owner = ANN, tap = undefined) => outbox.storeOperations(ids.map((id) => ({ id })), { label: "Roll", path: "/crew/", owner }, tap);
const receive = (id, outcome, more = {}) => ({ id, outcome, entries: [], problems: [], ...more });
const listIds = async (operations) => (await operations).map(({ id }) => id);

beforeEach(clearDatabase);

test("entries are pending in the order in which they were made, at most a hundred at a time", async () => {
  const ids = range(205).map((number) => `op-${String(999 - number)}`);
  await store(ids);
  const batches = [];
  for (let batch = await outbox.listWaiting(); batch.length; batch = await outbox.listWaiting(batch.at(-1).seq)) batches.push(batch);
  assert.deepEqual(batches.map((batch) => batch.length), [100, 100, 5]);
  assert.deepEqual(batches.flat().map(({ id }) => id), ids);
});

test("the same page sent twice is one entry", async () => {
  await store(["a", "b"]);
  await store(["b", "a", "c"]);
  assert.deepEqual(await listIds(outbox.listWaiting()), ["a", "b", "c"]);
});

test("an entry takes the place of its tap, and another tap on the same form does as well", async () => {
  const tap = (operation) => ({ method: "POST", path: "/crew/", headers: {}, body: `operation=${operation}&face=4` });
  const first = await outbox.storeTap(tap("one"), "Roll", ANN);
  const second = await outbox.storeTap(tap("one"), "Roll", ANN);
  const other = await outbox.storeTap(tap("two"), "Roll", ANN);
  assert.notEqual(first, second);
  assert.deepEqual((await outbox.listTaps()).map(({ number }) => number), [second, other]);
  await store(["a"], ANN, second);
  assert.deepEqual((await outbox.listTaps()).map(({ number }) => number), [other]);
});

test("taps without an operation never replace each other", async () => {
  const request = { method: "POST", path: "/crew/dice-set/", headers: {}, body: "set=2" };
  await outbox.storeTap(request, "Dice", ANN);
  await outbox.storeTap(request, "Dice", ANN);
  assert.equal((await outbox.listTaps()).length, 2);
});

test("the server's outcome decides whether an entry counts", async () => {
  const states = { recorded: "sent", merged: "sent", conflict: "attention", refused: "attention", late: "attention", review: "attention", unreadable: "attention", not_yet: "waiting" };
  await store(Object.keys(states));
  const settled = await outbox.applyReceipts(Object.keys(states).map((outcome) => receive(outcome, outcome)));
  assert.equal(settled, 7);
  for (const [id, state] of Object.entries(states)) assert.equal((await outbox.find(id)).state, state, id);
  assert.deepEqual(await outbox.count(), { waiting: 1, attention: 5, sent: 2 });
});

test("what is no receipt of a pending entry changes nothing", async () => {
  await store(["a", "b"]);
  await outbox.applyReceipts([receive("b", "recorded")]);
  const before = await outbox.find("b");
  const nonsense = [null, undefined, "a", {}, { id: 1, outcome: "recorded" }, { id: "a" }, { id: "a", outcome: null }, receive("x", "recorded")];
  assert.equal(await outbox.applyReceipts([...nonsense, receive("b", "refused")]), 0);
  assert.deepEqual(await listIds(outbox.listWaiting()), ["a"]);
  assert.deepEqual(await outbox.find("b"), before);
});

test("an entry needs attention when the server has failed on it three times, and can be sent again", async () => {
  await store(["a"]);
  for (const state of ["waiting", "waiting", "attention"]) {
    await outbox.recordFailures([await outbox.find("a")]);
    assert.equal((await outbox.find("a")).state, state);
  }
  const { seq, receipt } = await outbox.find("a");
  assert.equal(receipt.outcome, "failed");
  await outbox.requeue(seq);
  assert.deepEqual(await listIds(outbox.listWaiting()), ["a"]);
  await outbox.recordFailures([await outbox.find("a")]);
  assert.equal((await outbox.find("a")).state, "waiting"); // it counts from the start again
});

test("an entry that can never be sent is not made pending", async () => {
  await outbox.storeUnsendable({ label: "Roll", path: "/crew/", owner: ANN }, "Not recorded.");
  const [{ seq, receipt }] = await outbox.listAttention();
  assert.deepEqual(receipt.problems, [{ message: "Not recorded." }]);
  await outbox.requeue(seq);
  assert.equal((await outbox.listWaiting()).length, 0);
});

test("an entry whose key is lost is pending again when the phone belongs to its member", async () => {
  await store(["a"], ANN);
  await outbox.applyReceipts([receive("a", "unproven")], true);
  await outbox.requeueProven("bob");
  assert.deepEqual(await listIds(outbox.listWaiting()), []);
  await outbox.requeueProven("ann");
  assert.deepEqual(await listIds(outbox.listWaiting()), ["a"]);
});

test("a dismissed entry stays dismissed until the organiser accepts it", async () => {
  await store(["a"]);
  await outbox.applyReceipts([receive("a", "conflict", { operation: "server-id" })]);
  await outbox.dismiss((await outbox.find("a")).seq);
  await outbox.applyDecisions({ "server-id": "keep", a: "apply" });
  assert.equal((await outbox.find("a")).state, "aside");
  await outbox.applyDecisions({ "server-id": "apply" });
  assert.equal((await outbox.find("a")).state, "sent");
  await outbox.applyDecisions({ "server-id": "" });
  assert.equal((await outbox.find("a")).state, "attention");
});

test("entries that the server has lost are sent again, and their receipts stay as evidence", async () => {
  const entries = [{ chain: "c", seq: 1, hash: "h" }];
  await store(["a"]);
  await outbox.applyReceipts([receive("a", "recorded", { entries })]);
  const lost = await outbox.listAcknowledged(ANN, Date.now() + 1);
  assert.deepEqual(lost.map(({ id, device }) => [id, device]), [["a", "d1"]]);
  await outbox.requeueLost(lost);
  await outbox.requeueLost(lost); // by another page
  assert.equal(await outbox.hasRequeued(), true);
  assert.deepEqual((await outbox.find("a")).former.map((receipt) => receipt.entries), [entries]);
  await outbox.applyReceipts([receive("a", "recorded", { entries: [{ chain: "c", seq: 2, hash: "i" }] })]);
  assert.deepEqual((await outbox.find("a")).former.map((receipt) => receipt.entries), [entries]);
});

test("the engine replays what a copy of the ride lacks: pending entries, and those acknowledged since", async () => {
  await store(["old", "new", "refused", "pending"]);
  await store(["elsewhere"], { ...ANN, event: "practice" });
  await outbox.applyReceipts([receive("old", "recorded")]);
  await new Promise((resolve) => { setImmediate(resolve); });
  const { acknowledged } = await outbox.find("old");
  while (Date.now() <= acknowledged) await null;
  const asked = Date.now();
  await outbox.applyReceipts([receive("new", "recorded"), receive("refused", "refused")]);
  const { operations, times } = await outbox.listMissing(asked, "ride");
  assert.deepEqual(operations, [{ id: "new" }, { id: "pending" }]);
  assert.deepEqual(Object.keys(times), ["new", "pending"]);
});

test("the report counts an event's entries, and those whose owner nobody stored for every event", async () => {
  await store(["a", "b"], ANN);
  await store(["c"], { ...BOB, event: "practice" });
  await store(["d"], null);
  await outbox.applyReceipts([receive("b", "unreadable")]);
  assert.deepEqual(await outbox.countUnrecorded("ride"), { unsent: 2, attention: 1 });
  assert.deepEqual(await outbox.countUnrecorded("practice"), { unsent: 2, attention: 0 });
});

test("an entry belongs to its member only, and one of before owners were stored to everybody", () => {
  assert.equal(outbox.belongsTo({ owner: ANN }, "ann"), true);
  assert.equal(outbox.belongsTo({ owner: ANN }, "bob"), false);
  assert.equal(outbox.belongsTo({ owner: ANN }, undefined), false);
  assert.equal(outbox.belongsTo({}, "bob"), true);
});

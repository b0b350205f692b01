import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { clearDatabase } from "./browser.mjs";
import { storeOperations } from "../../static/js/phone/outbox.js";
import { InvalidBundle } from "../../static/js/phone/swap/bundle.js";
import * as relayed from "../../static/js/phone/swap/relayed.js";

const minute = (number) => `2026-06-01T10:${String(number).padStart(2, "0")}:00.000Z`;

function makeEnvelope(device, sequence, id, at = minute(sequence)) {
  return { device, operations_json: JSON.stringify({ device, sequence, noted: at, operation: { id } }), signature: "c2ln" };
}
const receive = (id, outcome) => ({ id, outcome, entries: [], problems: [] });
const take = (...envelopes) => relayed.storeEnvelopes({ names: { d1: "Ann" }, envelopes });
const listStates = async () => Object.fromEntries((await relayed.list()).map(({ id, state }) => [id, state]));

beforeEach(clearDatabase);

test("the envelopes of a bundle are counted by owner, and a repeated one is known", async () => {
  const bundle = [makeEnvelope("d1", 1, "a"), makeEnvelope("d1", 2, "b"), makeEnvelope("d2", 1, "c")];
  assert.deepEqual(await take(...bundle), { taken: { Ann: 2, "": 1 }, known: 0 });
  assert.deepEqual(await take(...bundle, makeEnvelope("d1", 3, "d")), { taken: { Ann: 1 }, known: 3 });
});

test("this phone's own entries, which come back from another one, are known", async () => {
  await storeOperations([{ id: "a" }], { label: "Roll", path: "/crew/" });
  assert.deepEqual(await take(makeEnvelope("d1", 1, "a")), { taken: {}, known: 1 });
});

test("a bundle with one damaged envelope is refused as a whole", async () => {
  const good = makeEnvelope("d1", 1, "a");
  const claims = JSON.parse(good.operations_json);
  const bad = {
    "no JSON": { ...good, operations_json: "{" },
    "of another device": { ...good, device: "d2" },
    "no signature": { ...good, signature: null },
    "no id": { ...good, operations_json: JSON.stringify({ ...claims, operation: {} }) },
    "no operation": { ...good, operations_json: JSON.stringify({ ...claims, operation: undefined }) },
    "no time": { ...good, operations_json: JSON.stringify({ ...claims, noted: "yesterday" }) },
    "no place in the order": { ...good, operations_json: JSON.stringify({ ...claims, sequence: 1.5 }) },
    nothing: {},
  };
  for (const [name, envelope] of Object.entries(bad)) await assert.rejects(take(makeEnvelope("d1", 2, "b"), envelope), InvalidBundle, name);
  assert.deepEqual(await relayed.list(), []);
});

test("each phone's entries are listed in the order in which it made them", async () => {
  await take(makeEnvelope("d2", 1, "x"), makeEnvelope("d1", 10, "c"), makeEnvelope("d1", 9, "b"), makeEnvelope("d1", 1, "a"));
  assert.deepEqual((await relayed.list()).map(({ id }) => id), ["a", "b", "c", "x"]);
});

test("only a receipt with an entry's own id says that the server has it", async () => {
  await take(...["a", "b", "c", "d", "e"].map((id, index) => makeEnvelope("d1", index, id)));
  const receipts = [receive("a", "recorded"), receive("x", "recorded"), receive("c", "refused"), receive(null, "unreadable"), receive("e", "not_yet")];
  assert.equal(await relayed.applyReceipts(await relayed.list(), receipts), 2);
  assert.deepEqual(await listStates(), { a: "delivered", b: "waiting", c: "delivered", d: "stopped", e: "waiting" });
  assert.equal(await relayed.applyReceipts(await relayed.list(), []), 0);
});

test("what the server fails on three times is stopped until somebody tries again", async () => {
  await take(makeEnvelope("d1", 1, "a"));
  for (const state of ["waiting", "waiting", "stopped"]) {
    await relayed.recordFailures(await relayed.list());
    assert.deepEqual(await listStates(), { a: state });
  }
  await relayed.retry();
  assert.equal(await relayed.countWaiting(), 1);
});

test("a delivered entry is deleted only when a later copy of the ride contains it", async () => {
  await take(makeEnvelope("d1", 1, "a"), makeEnvelope("d1", 2, "b"));
  await relayed.applyReceipts(await relayed.list(), [receive("a", "recorded")]);
  const [{ acknowledged }] = await relayed.list();
  await relayed.prune(acknowledged);
  assert.deepEqual(await listStates(), { a: "delivered", b: "waiting" });
  await relayed.prune(acknowledged + 1);
  assert.deepEqual(await listStates(), { b: "waiting" });
});

test("the engine replays all phones' entries by time, and each phone's in its own order", async () => {
  // The clock of d1 was set back between its two entries.
  await take(makeEnvelope("d1", 1, "a", minute(30)), makeEnvelope("d1", 2, "b", minute(5)), makeEnvelope("d2", 1, "c", minute(20)));
  const own = { operations: [{ id: "x" }, { id: "y" }], times: { x: minute(10), y: minute(40) } };
  const { operations, times } = await relayed.addRelayed(own, 0);
  assert.deepEqual(operations.map(({ id }) => id), ["x", "c", "a", "b", "y"]);
  assert.equal(times.b, minute(5));
});

test("of what the server has, the engine replays what the copy lacks and what counts", async () => {
  await take(makeEnvelope("d1", 1, "a"), makeEnvelope("d1", 2, "b"), makeEnvelope("d1", 3, "c"));
  await relayed.applyReceipts(await relayed.list(), [receive("a", "recorded"), receive("b", "conflict"), receive("c", "not_yet")]);
  const [{ acknowledged }] = await relayed.list();
  const replay = async (asked) => (await relayed.addRelayed({ operations: [], times: {} }, asked)).operations.map(({ id }) => id);
  assert.deepEqual(await replay(acknowledged), ["a", "c"]);
  assert.deepEqual(await replay(acknowledged + 1), ["c"]);
});

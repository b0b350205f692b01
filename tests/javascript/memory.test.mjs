import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { clearDatabase } from "./browser.mjs";
import { describeMemory, listLosses, recordTold } from "../../static/js/phone/memory.js";
import { applyReceipts, storeOperations } from "../../static/js/phone/outbox.js";
import { open } from "../../static/js/phone/store.js";

mock.timers.enable({ apis: ["setTimeout"] });

const ANN = { device: "d1", member: "ann", event: "ride", name: "Ann", is_practice: false, is_draft: false };
const store = (...ids) => storeOperations(ids.map((id) => ({ id })), { label: "Roll", path: "/crew/", owner: ANN });
const tell = async () => (await describeMemory()).split(" ");

const counted = new Map();
globalThis.localStorage = { getItem: (key) => counted.get(key) ?? null, setItem: (key, text) => counted.set(key, text) };

beforeEach(async () => {
  await clearDatabase();
  counted.clear();
});

test("the id stays while entries are made and sent, and says how many were made", async () => {
  const [id, none] = await tell();
  const before = Number(none);
  await store("a", "b");
  await applyReceipts([{ id: "a", outcome: "recorded", entries: [], problems: [] }]);
  assert.deepEqual(await tell(), [id, String(before + 2)]);
  assert.deepEqual(await listLosses(), []);
});

test("a database that was cleared has another id, and the phone knows what was pending", async () => {
  const [before] = await tell();
  await store("a", "b");
  await tell();
  await clearDatabase();
  const [after, , pending] = await tell();
  assert.notEqual(after, before);
  assert.equal(pending, "2");
  assert.deepEqual((await listLosses()).map(({ reason, missing }) => ({ reason, missing })), [{ reason: "cleared", missing: 2 }]);
});

test("what the server has been told it says itself, from its next copy on", async () => {
  await tell();
  await clearDatabase();
  await tell();
  await recordTold();
  assert.equal((await tell()).length, 2);
  assert.equal((await listLosses({ asked: 0 })).length, 1);
  assert.equal((await listLosses({ asked: Date.now() + 1000 })).length, 0);
  await (await open()).put("parts", { own: { decisions: {}, counts: {}, losses: [{ reason: "cleared", missing: 3 }] } }, "own");
  assert.equal((await listLosses({ asked: Date.now() + 1000 }))[0].missing, 3);
});

test("where all is cleared the id is new, and only the server can know of a loss", async () => {
  const [before] = await tell();
  await clearDatabase();
  counted.clear();
  const told = await tell();
  assert.notEqual(told[0], before);
  assert.equal(told.length, 2);
});

test("missing entries are a loss as well", async () => {
  await store("a", "b", "c");
  const [before] = await tell();
  const db = await open();
  await db.delete("operations", (await db.getAllKeys("operations"))[1]);
  const [after] = await tell();
  assert.notEqual(after, before);
  assert.deepEqual((await tell())[0], after);
});

test("an older state that was restored is a loss as well", async () => {
  await store("a");
  const [id, made] = await tell();
  counted.set("tailgunner-memory", JSON.stringify({ id, made: Number(made) + 1, pending: 1 }));
  assert.notEqual((await tell())[0], id);
});

test("a deleted localStorage, or nonsense in it, is no loss", async () => {
  await store("a");
  const [id] = await tell();
  counted.clear();
  assert.equal((await tell())[0], id);
  counted.set("tailgunner-memory", "{");
  assert.equal((await tell())[0], id);
});

test("several readers at once give a lost memory one id", async () => {
  await tell();
  await clearDatabase();
  const ids = await Promise.all(Array.from({ length: 5 }, tell));
  assert.equal(new Set(ids.map(([id]) => id)).size, 1);
});

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { clearDatabase } from "./browser.mjs";
import { FACT } from "../../static/js/phone/owner.js";
import { count, find, listWaiting, storeOperations } from "../../static/js/phone/outbox.js";
import { sendNow, status } from "../../static/js/phone/sender.js";
import { setFact } from "../../static/js/phone/store.js";

mock.timers.enable({ apis: ["setTimeout"] });

const ANN = { device: "d1", member: "ann", event: "ride", name: "Ann", is_practice: false, is_draft: false };
const TIME = "2026-06-01T10:00:00.000Z";

let requests = [];
let answer; // the server's: a function of an operation, or of a request

const respond = (status_, body, isOurs = true) => new Response(typeof body === "string" ? body : JSON.stringify(body), { status: status_, headers: isOurs ? { "X-Tailgunner": "1" } : {} });
const receive = (id, outcome = "recorded") => ({ id, outcome, entries: [], problems: [] });
const accept = (operations) => respond(200, { receipts: operations.map(({ id }) => receive(id)), server_time: TIME });

globalThis.fetch = async (address, { body, headers }) => {
  assert.equal(address, "/api/v1/operations");
  const { operations, report } = JSON.parse(body);
  requests.push({ ids: operations.map(({ id }) => id), report, device: headers["X-Tailgunner-Device"] });
  return answer(operations);
};

const makeIds = (number) => Array.from({ length: number }, (_, index) => `op-${index}`);
const store = (ids, owner = ANN) => storeOperations(ids.map((id) => ({ id })), { label: "Roll", path: "/crew/", owner });

beforeEach(async () => {
  await clearDatabase();
  await setFact(FACT, { ...ANN, asked: 0 });
  requests = [];
  answer = accept;
  await sendNow(); // nothing is pending: this ends a pause that an earlier test has left
  requests = [];
});

test("pending entries are sent in order, a hundred at a time, as the device that made them", async () => {
  const ids = makeIds(205);
  await store(ids);
  await sendNow();
  const sent = requests.filter((request) => request.ids.length);
  assert.deepEqual(sent.map((request) => request.ids.length), [100, 100, 5]);
  assert.deepEqual(sent.flatMap((request) => request.ids), ids);
  assert.deepEqual(sent.map(({ report }) => report.unsent), [105, 5, 0]); // as it will be when the server has read it
  assert.ok(requests.every(({ device }) => device === "d1"));
  assert.deepEqual([await count(), status], [{ waiting: 0, attention: 0, sent: 205 }, { how: "ok", isSending: false }]);
});

test("without an answer of our server, everything stays pending", async () => {
  await store(["a"]);
  const others = {
    "no network": () => { throw new TypeError("failed"); },
    "the login page of a hotel": () => respond(200, "<html>", false),
    "some other JSON": () => respond(200, { ok: true }, false),
    "no object": () => respond(200, "null"),
    "a proxy that has no server": () => respond(502, "<html>", false),
    "a server without a database": () => respond(503, { error: { code: "unavailable" } }),
  };
  for (const [name, how] of Object.entries(others)) {
    answer = how;
    await sendNow();
    assert.equal(status.how, "away", name);
    assert.equal((await find("a")).state, "waiting", name);
  }
});

test("it is tried again after a pause that grows, and succeeds when the server is back", async () => {
  await store(["a"]);
  answer = () => { throw new TypeError("failed"); };
  await sendNow();
  const isTried = async (milliseconds) => {
    const before = requests.length;
    mock.timers.tick(milliseconds);
    const turn = () => new Promise((resolve) => { setImmediate(resolve); });
    for (let turns = 0; turns < 400 && (requests.length === before || status.isSending); turns += 1) await turn();
    for (let turns = 0; turns < 20; turns += 1) await turn(); // the next pause is planned after that
    return requests.length > before;
  };
  assert.equal(await isTried(1_499), false);
  assert.equal(await isTried(1_001), true); // 2 s, give or take a quarter
  assert.equal(await isTried(2_999), false);
  answer = accept;
  assert.equal(await isTried(2_001), true); // 4 s
  assert.equal((await find("a")).state, "sent");
});

test("an entry that the server cannot read is found by its place, and the others arrive", async () => {
  await store(["a", "b", "c"]);
  answer = (operations) => respond(200, { receipts: operations.map(({ id }) => (id === "b" ? receive(null, "unreadable") : receive(id))), server_time: TIME });
  await sendNow();
  assert.deepEqual(await Promise.all(["a", "b", "c"].map(async (id) => (await find(id)).state)), ["sent", "attention", "sent"]);
});

test("a receipt without an id acknowledges nothing", async () => {
  await store(["a"]);
  answer = () => respond(200, { receipts: [receive(null)], server_time: TIME });
  await sendNow();
  assert.equal((await find("a")).state, "waiting");
});

test("a proxy that finds a batch too large gets smaller ones", async () => {
  await store(makeIds(20));
  answer = (operations) => (operations.length > 5 ? respond(413, "<html>", false) : accept(operations));
  await sendNow();
  assert.deepEqual(await count(), { waiting: 0, attention: 0, sent: 20 });
  assert.deepEqual(requests.map(({ ids }) => ids.length).filter(Boolean), [20, 10, 5, 5, 10, 5, 5]);
});

test("an entry that the server refuses needs attention, with its reason", async () => {
  await store(["a", "b"]);
  const error = { code: "invalid", message: "No." };
  answer = (operations) => (operations.some(({ id }) => id === "a") ? respond(422, { error }) : accept(operations));
  await sendNow();
  assert.deepEqual((await find("a")).receipt.problems, [error]);
  assert.equal((await find("b")).state, "sent");
});

test("the status says why the server takes no entries, and none is lost", async () => {
  await store(["a"]);
  for (const [code, how] of [[401, "signed_out"], [409, "not_open"], [410, "deleted"]]) {
    answer = () => respond(code, { error: { code: "no" } });
    await sendNow();
    assert.equal(status.how, how);
    assert.equal((await find("a")).state, "waiting");
  }
});

test("entries of a practice that this phone has left reach nobody", async () => {
  await store(["a"], { ...ANN, device: "d0", event: "practice", is_practice: true });
  await sendNow();
  const { state, receipt } = await find("a");
  assert.deepEqual([state, receipt.outcome], ["attention", "ended"]);
  assert.ok(requests.every(({ ids }) => ids.length === 0));
});

test("entries of the phone's previous owner are not sent as the present owner's", async () => {
  await store(["a"], { ...ANN, member: "bob", device: "d0" });
  await sendNow();
  assert.ok(requests.every(({ ids }) => ids.length === 0));
  assert.equal((await find("a")).receipt.outcome, "unproven"); // nobody has signed it
});

test("while the owner is unknown, entries stay pending", async () => {
  await store(["a"]);
  document.cookie = "tailgunner_phone=d9"; // joined again, and no copy of the ride has come yet
  try {
    await sendNow();
  } finally {
    document.cookie = "";
  }
  assert.deepEqual((await listWaiting()).map(({ id }) => id), ["a"]);
  assert.ok(requests.every(({ ids }) => ids.length === 0));
});

test("a phone with nothing to send reports that, and not again ten minutes long", async () => {
  await clearDatabase();
  await setFact(FACT, { ...ANN, asked: 0 });
  await sendNow();
  await sendNow();
  assert.deepEqual(requests, [{ ids: [], report: { unsent: 0, attention: 0 }, device: "d1" }]);
});

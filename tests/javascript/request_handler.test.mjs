import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { clearDatabase } from "./browser.mjs";
import { listAttention, listTaps, storeTap } from "../../static/js/phone/outbox.js";
import { listen } from "../../static/js/phone/request_handler.js";

mock.timers.enable({ apis: ["setTimeout"] });

const REQUEST = { method: "POST", path: "/crew/bikes/1/", headers: {}, body: "operation=one" };
const serviceWorker = Object.assign(new EventTarget(), { startMessages: () => {} });

navigator.serviceWorker = serviceWorker;
listen("Not recorded.");

/** Tell the page what the server answered to a tap; return when the page has settled it. */
async function tellAnswered(tap, status) {
  serviceWorker.dispatchEvent(new MessageEvent("message", { data: { tell: "answered", tap, status } }));
  for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => { setImmediate(resolve); });
}

beforeEach(clearDatabase);

test("a tap that the server accepted, or to which it showed the form again, is settled", async () => {
  for (const status of [200, 302, 409, 422]) {
    await tellAnswered(await storeTap(REQUEST, "Roll 4", null), status);
    assert.deepEqual([await listTaps(), await listAttention()], [[], []], status);
  }
});

test("a tap that the server may still accept is kept", async () => {
  for (const status of [401, 410, 500, 503]) {
    await tellAnswered(await storeTap(REQUEST, "Roll 4", null), status);
    assert.equal((await listTaps()).length, 1, status);
  }
});

test("a tap that the server refused needs attention", async () => {
  await tellAnswered(await storeTap(REQUEST, "Roll 4", null), 404);
  const [{ label, path, receipt }] = await listAttention();
  assert.deepEqual([label, path, receipt.problems], ["Roll 4", REQUEST.path, [{ message: "Not recorded." }]]);
  assert.deepEqual(await listTaps(), []);
});

test("a refused tap that another page has settled meanwhile is left alone", async () => {
  const tap = await storeTap(REQUEST, "Roll 4", null);
  await tellAnswered(tap, 200);
  await tellAnswered(tap, 404);
  assert.deepEqual(await listAttention(), []);
});

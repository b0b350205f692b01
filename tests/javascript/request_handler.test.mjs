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

/** The page's engine starts for as long as the page is open. */
globalThis.Worker = class extends EventTarget {
  postMessage() {}

  terminate() {}
};

document.querySelector = (selector) => (selector === "h1" ? { innerText: "Bike 8" } : null);

/** Send the page a request of the service worker; return what it says through the port, up to now and later. */
async function ask(body) {
  const { open } = await import("../../static/js/phone/store.js");
  await (await open()).put("ride", { owner: { device: "d1", member: "ann", event: "ride" }, asked: 1, digest: "", fingerprints: {}, serverTime: "" }, "copy");
  const said = [];
  const port = { postMessage: (message) => said.push(message) };
  const event = new MessageEvent("message", { data: { ...REQUEST, ask: "answer", when: "always", protocol: 1, body } });
  Object.defineProperty(event, "ports", { value: [port] });
  serviceWorker.dispatchEvent(event);
  await settle();
  return said;
}

async function settle() {
  for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => { setImmediate(resolve); });
}

test("while the engine starts, a step that records nothing is answered by the server after half a second", async () => {
  globalThis.fetch = async () => new Response("4 4 1", { headers: { "X-Tailgunner": "1", "Content-Type": "text/html" } });
  for (const body of ["operation=one&face=4", "operation=one&tap%3Aroll%3Adice=4"]) {
    const said = await ask(body);
    assert.equal(said.length, 1);
    mock.timers.tick(500);
    await settle();
    assert.deepEqual(said.slice(1), [{ status: 200, headers: { "content-type": "text/html" }, body: "4 4 1", operations: [] }]);
  }
});

test("without the server, or for a form that records, the page waits for the engine", async () => {
  globalThis.fetch = async () => { throw new TypeError("no network"); };
  const step = await ask("operation=one&face=4");
  globalThis.fetch = () => assert.fail("the server was asked to record it as well");
  const box = await ask("operation=one&choose=four");
  mock.timers.tick(500);
  await settle();
  assert.deepEqual([step.length, box.length], [1, 1]);
});

import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";

import { clearDatabase } from "./browser.mjs";

mock.timers.enable({ apis: ["setTimeout"] });

const ANN = { device: "d1", member: "ann", event: "ride", name: "Ann", is_practice: false, is_draft: false };
const REQUEST = { method: "GET", path: "/crew/", headers: {}, body: "" };
const ANSWERS = { load: () => "{}", answer: () => REPLY, set_language: (text) => JSON.stringify(JSON.parse(text).language) };
const REPLY = JSON.stringify({ status: 200, headers: {}, body: "", operations: [] });

let calls = [];
let failures = []; // what the engine fails on next
let running = 0; // workers
const listeners = {};
globalThis.addEventListener = (kind, listener) => { listeners[kind] = listener; };

/** The worker: it answers each call in its turn, as static/js/phone/engine_worker.js does. */
globalThis.Worker = class extends EventTarget {
  constructor() {
    super();
    running += 1;
    this.#send({ isStarted: true, isRestored: false });
  }

  postMessage({ number, name, text }) {
    const error = failures.shift();
    calls.push(name);
    this.#send(error ? { number, error } : { number, answer: ANSWERS[name](text), text });
  }

  terminate() {
    running -= 1;
  }

  #send(data) {
    setImmediate(() => this.dispatchEvent(new MessageEvent("message", { data })));
  }
};

let engine;

before(async () => {
  await clearDatabase();
  const { open } = await import("../../static/js/phone/store.js");
  await (await open()).put("ride", { owner: ANN, asked: 1, digest: "", fingerprints: {}, serverTime: "" }, "copy");
  engine = await import("../../static/js/phone/engine.js");
  await engine.start();
});

beforeEach(() => {
  calls = [];
  failures = [];
});

test("the engine is loaded once, and then answers", async () => {
  assert.equal(engine.status.how, "ready");
  assert.equal((await engine.answer(REQUEST, async () => {})).status, 200);
  await engine.answer(REQUEST, async () => {});
  assert.deepEqual(calls, ["answer", "answer"]);
});

test("the next request waits until the entries of the one before are stored", async () => {
  const order = [];
  const first = engine.answer(REQUEST, async () => {
    await new Promise((resolve) => { setImmediate(() => setImmediate(resolve)); });
    order.push("stored");
  });
  const second = engine.answer(REQUEST, async () => { order.push("next"); });
  await Promise.all([first, second]);
  assert.deepEqual(order, ["stored", "next"]);
});

test("entries that could not be stored are unknown to the next request as well", async () => {
  await assert.rejects(engine.answer(REQUEST, async () => { throw new Error("the disk is full"); }), { message: "the disk is full" });
  await engine.answer(REQUEST, async () => {});
  assert.deepEqual(calls, ["answer", "load", "answer"]);
});

test("after a load that failed, no request is answered from the old state", async () => {
  document.dispatchEvent(new CustomEvent("phone:ride"));
  failures = ["out of memory"];
  await assert.rejects(engine.answer(REQUEST, async () => {}), { message: "out of memory" });
  await engine.answer(REQUEST, async () => {});
  assert.deepEqual(calls, ["load", "load", "answer"]);
});

test("a page that was left has no engine, and starts another if it is shown again", async () => {
  const heard = mock.fn();
  document.addEventListener("phone:engine", heard);
  listeners.pagehide();
  assert.deepEqual([running, engine.status.how, heard.mock.callCount()], [0, "none", 0]);
  listeners.pageshow({ persisted: true });
  await engine.start();
  assert.deepEqual([running, engine.status.how], [1, "ready"]);
  assert.equal((await engine.answer(REQUEST, async () => {})).status, 200);
});

test("the engine answers in the language of the version that is in use, and is told once", async () => {
  mock.method(globalThis, "fetch", async () => new Response(JSON.stringify({ language: "es" })));
  for (let count = 0; count < 2; count += 1) await engine.answer({ ...REQUEST, language: "es" }, async () => {});
  assert.deepEqual(calls, ["set_language", "answer", "answer"]);
  assert.equal(engine.status.language, "es");
});

test("a part of an open page, and a language that is not stored, leave the engine as it is", async () => {
  await engine.answer(REQUEST, async () => {});
  mock.method(globalThis, "fetch", async () => new Response(JSON.stringify({ language: "es" })));
  await engine.answer({ ...REQUEST, language: "fr" }, async () => {});
  mock.method(globalThis, "fetch", async () => { throw new TypeError("no signal"); });
  await engine.answer({ ...REQUEST, language: "fr" }, async () => {});
  assert.deepEqual(calls, ["answer", "answer", "answer"]);
  assert.equal(engine.status.language, "es");
});

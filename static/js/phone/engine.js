// The page's interface to the engine: starts the worker once there is a ride to work on, and makes one call at a time,
// so that each response includes everything recorded before it.

import { listMissing } from "./outbox.js";
import { isCurrentDevice } from "./owner.js";
import { getHead as getRide, readCopy as readRide } from "./ride_copy.js";
import { addRelayed } from "./swap/relayed.js";

const START_TIMEOUT = 90_000;

/**
 * `how` is "none" (there is no ride), "starting", "ready" or "failed"; `owner` is the owner of the ride;
 * `isRestored` is whether the engine was restored from a snapshot, which takes a third of the time.
 */
export const status = { how: "none", error: "", problems: [], owner: null, isRestored: false };

let worker = null;
let started = null;
let lastNumber = 0;
let isStale = true; // the engine's state differs from the store
let queue = Promise.resolve();
const calls = new Map();

function setStatus(change) {
  Object.assign(status, change);
  document.dispatchEvent(new CustomEvent("phone:engine", { detail: status }));
}

/** Return whether the engine can be called, now or once it has started. This starts it if necessary. */
export async function isExpected() {
  if (status.how === "none" && await getRide()) started ??= run();
  return status.how === "starting" || status.how === "ready";
}

/** Start the engine, unless it is running or there is no ride. Resolves when it is ready or has failed. */
export async function start() {
  if (!started && await getRide()) started ??= run();
  return started;
}

async function run() {
  setStatus({ how: "starting" });
  try {
    const isRestored = await startWorker().catch(startAgain);
    await enqueue(load);
    setStatus({ how: "ready", isRestored });
  } catch (error) {
    fail(error);
  }
}

class TookTooLong extends Error {}

/** Start another worker. A file that one could not read can often be read a moment later, but not by the same worker. */
function startAgain(error) {
  if (error instanceof TookTooLong) throw error;
  console.debug("The engine is started again:", error.message);
  worker.terminate();
  return startWorker();
}

function startWorker() {
  worker = new Worker("/engine-worker.js", { type: "module" });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TookTooLong("the app took too long to start")), START_TIMEOUT);
    worker.addEventListener("error", (event) => reject(new Error(event.message || "the app could not start")));
    worker.addEventListener("message", ({ data }) => {
      if ("number" in data) return onMessage(data);
      clearTimeout(timer);
      return data.isStarted ? resolve(data.isRestored) : reject(new Error(data.error));
    });
  });
}

function fail(error) {
  worker?.terminate();
  calls.forEach(({ reject }) => reject(error));
  calls.clear();
  setStatus({ how: "failed", error: error.message });
}

function onMessage({ number, answer, error }) {
  const { resolve, reject } = calls.get(number);
  calls.delete(number);
  if (error === undefined) resolve(answer);
  else reject(new Error(error));
}

function callEngine(name, args) {
  return new Promise((resolve, reject) => {
    lastNumber += 1;
    calls.set(lastNumber, { resolve, reject });
    worker.postMessage({ number: lastNumber, name, text: JSON.stringify(args) });
  });
}

function enqueue(work) {
  const done = queue.then(work);
  queue = done.catch(() => {});
  return done;
}

async function load() {
  isStale = false;
  const copy = await readRide();
  if (!copy) throw new Error("the ride is not on this phone");
  const missing = await addRelayed(await listMissing(copy.asked, copy.owner.event), copy.asked);
  const reply = JSON.parse(await callEngine("load", { ride: copy.ride, ...missing }));
  setStatus({ problems: reply.problems ?? [], owner: copy.owner });
}

async function loadIfStale() {
  if (isStale || !isCurrentDevice(status.owner.device)) await load();
}

async function checkReady() {
  await started;
  if (status.how !== "ready") throw new Error(status.error || "the app could not start");
}

/**
 * Handle a request, and finish storing the entries that it creates before the next request.
 * @param {{method: string, path: string, headers: object, body: string, mayBeOpen: ?boolean}} request
 * @param {(response: object) => Promise<void>} beforeNext is awaited before the next request.
 */
export async function answer(request, beforeNext) {
  await checkReady();
  return enqueue(async () => {
    await loadIfStale();
    const { method, path, headers, body, mayBeOpen = false } = request;
    const now = new Date().toISOString();
    const response = JSON.parse(await callEngine("answer", { method, path, headers, body, now, may_be_open: mayBeOpen }));
    try {
      await beforeNext(response);
    } catch (error) {
      isStale = true; // the engine has entries that the store lacks
      throw error;
    }
    return response;
  });
}

/** Return the owner of the ride that the engine will use for the next request. */
export async function readOwner() {
  await checkReady();
  return enqueue(async () => {
    await loadIfStale();
    return status.owner;
  });
}

document.addEventListener("phone:ride", () => {
  isStale = true;
  start();
});
document.addEventListener("phone:relayed", ({ detail }) => { if (["taken", "refused"].includes(detail.what)) isStale = true; });
document.addEventListener("phone:outbox", ({ detail }) => {
  // An entry that the server did not accept must not block the one that replaces it.
  if (["refused", "again"].includes(detail.what) || (detail.isElsewhere && detail.what === "kept")) isStale = true;
});

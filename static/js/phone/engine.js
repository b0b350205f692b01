// The page's side of the engine: it starts the worker once there is a ride to work on, and asks it one thing at a time,
// so that what it answers always rests on all that was noted before.

import { listMissing } from "./outbox.js";
import { isPresent } from "./owner.js";
import { get as getRide, read as readRide } from "./ride.js";
import { addCarried } from "./swap/carried.js";

const LONGEST_START = 90_000;

/**
 * How it is: "none" (there is nothing to work on), "starting", "ready", "failed"; whose ride it works on; and whether it was
 * restored from a snapshot, which takes a third of the time.
 */
export const status = { how: "none", error: "", problems: [], owner: null, isRestored: false };

let worker = null;
let started = null;
let numbered = 0;
let isStale = true; // what it works on is not what is in the store
let queue = Promise.resolve();
const asked = new Map();

function tell(change) {
  Object.assign(status, change);
  document.dispatchEvent(new CustomEvent("phone:engine", { detail: status }));
}

/** Whether it answers, now or once it has started; whoever asks starts it. */
export async function isExpected() {
  if (status.how === "none" && await getRide()) started ??= run();
  return status.how === "starting" || status.how === "ready";
}

/** Start the engine, unless it runs or there is no ride; done when it can answer, or cannot. */
export async function start() {
  if (!started && await getRide()) started ??= run();
  return started;
}

async function run() {
  tell({ how: "starting" });
  try {
    const isRestored = await startWorker();
    await inOrder(load);
    tell({ how: "ready", isRestored });
  } catch (error) {
    fail(error);
  }
}

function startWorker() {
  worker = new Worker("/engine-worker.js", { type: "module" });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the app took too long to start")), LONGEST_START);
    worker.addEventListener("error", (event) => reject(new Error(event.message || "the app could not start")));
    worker.addEventListener("message", ({ data }) => {
      if ("number" in data) return hear(data);
      clearTimeout(timer);
      return data.isStarted ? resolve(data.isRestored) : reject(new Error(data.error));
    });
  });
}

function fail(error) {
  worker?.terminate();
  asked.forEach(({ reject }) => reject(error));
  asked.clear();
  tell({ how: "failed", error: error.message });
}

function hear({ number, answer, error }) {
  const { resolve, reject } = asked.get(number);
  asked.delete(number);
  if (error === undefined) resolve(answer);
  else reject(new Error(error));
}

function ask(name, given) {
  return new Promise((resolve, reject) => {
    numbered += 1;
    asked.set(numbered, { resolve, reject });
    worker.postMessage({ number: numbered, name, text: JSON.stringify(given) });
  });
}

function inOrder(work) {
  const done = queue.then(work);
  queue = done.catch(() => {});
  return done;
}

async function load() {
  isStale = false;
  const copy = await readRide();
  if (!copy) throw new Error("the ride is not on this phone");
  const missing = await addCarried(await listMissing(copy.asked), copy.asked);
  const told = JSON.parse(await ask("load", { ride: copy.ride, ...missing }));
  tell({ problems: told.problems ?? [], owner: copy.owner });
}

/**
 * Ask for the page that a request comes to, and have done with what it notes before the next one is asked.
 * @param {{method: string, path: string, headers: object, body: string, mayBeOpen: ?boolean}} request
 * @param {(answer: object) => Promise<void>} settle is waited for.
 */
export async function answer(request, settle) {
  await started;
  if (status.how !== "ready") throw new Error(status.error || "the app could not start");
  return inOrder(async () => {
    if (isStale || !isPresent(status.owner.device)) await load();
    const { method, path, headers, body, mayBeOpen = false } = request;
    const now = new Date().toISOString();
    const told = JSON.parse(await ask("answer", { method, path, headers, body, now, may_be_open: mayBeOpen }));
    try {
      await settle(told);
    } catch (error) {
      isStale = true; // it holds what the store does not
      throw error;
    }
    return told;
  });
}

/** Return whose ride the engine works on, once it does. */
export async function readOwner() {
  await started;
  if (status.how !== "ready") throw new Error(status.error || "the app could not start");
  return status.owner;
}

document.addEventListener("phone:ride", () => {
  isStale = true;
  start();
});
document.addEventListener("phone:carried", ({ detail }) => { if (["taken", "refused"].includes(detail.what)) isStale = true; });
document.addEventListener("phone:outbox", ({ detail }) => {
  // What the server does not count must not stand in the way of what is entered instead.
  if (["refused", "again"].includes(detail.what) || (detail.isElsewhere && detail.what === "kept")) isStale = true;
});

// The page's interface to the engine: starts the worker once there is a ride to work on, and makes one call at a time,
// so that each response includes everything recorded before it.

import { listMissing } from "./outbox.js";
import { isCurrentDevice } from "./owner.js";
import { Failure } from "./failure.js";
import { getHead as getRide, readCopy as readRide } from "./ride_copy.js";
import { forget, guard } from "./start_guard.js";
import { addRelayed } from "./swap/relayed.js";

/** @type {Protocol} */
const PROTOCOL = 1;
const START_TIMEOUT = 90_000;
const MAX_DEATHS = 2;
const LANGUAGE = "/crew/language.json"; // a file of the version of the app that is stored

/** @type {EngineStatus} */
export const status = { how: "none", error: null, problems: [], owner: null, isRestored: false };

/** @type {Worker | null} */
let worker = null;
/** @type {Promise<void> | null} */
let started = null;
let runs = 0; // how often it was started
let deaths = 0; // how often it broke down while it was working
let lastNumber = 0;
let isStale = true; // the engine's state differs from the store
/** @type {Promise<unknown>} */
let queue = Promise.resolve();
/** @type {Map<number, {resolve: (answer: string) => void, reject: (error: Error) => void}>} */
const calls = new Map();

/** @param {Partial<EngineStatus>} change */
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
  runs += 1;
  const number = runs;
  setStatus({ how: "starting" });
  try {
    const isRestored = await guard(async () => {
      const found = await startWorker().catch(startAgain);
      await enqueue(load);
      return found;
    });
    setStatus({ how: "ready", isRestored });
  } catch (error) {
    if (number === runs) fail(error);
  }
}

/**
 * Start another worker. A file that one could not read can often be read a moment later, but not by the same worker.
 * @param {Error} error with which the first one failed.
 */
function startAgain(error) {
  if (error instanceof Failure) throw error; // as slow as before, or as old
  console.debug("The engine is started again:", error.message);
  worker?.terminate();
  return startWorker();
}

/**
 * Start a worker; return whether the engine was restored from a snapshot.
 * @returns {Promise<boolean>}
 */
function startWorker() {
  const fresh = new Worker("/engine-worker.js", { type: "module" });
  worker = fresh;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Failure("slow", "the app took too long to start")), START_TIMEOUT);
    fresh.addEventListener("error", (event) => {
      const error = new Error(event.message || "the app could not start");
      reject(error);
      if (worker === fresh && status.how === "ready") die(error);
    });
    fresh.addEventListener("message", (event) => {
      /** @type {MessageFromEngine} */
      const data = event.data;
      if ("number" in data) return onMessage(data);
      clearTimeout(timer);
      if (!data.isStarted) return reject(new Error(data.error));
      // The service worker has stored the engine of a later version, which this page does not understand.
      if ((data.protocol ?? PROTOCOL) > PROTOCOL) return reject(new Failure("older", "this page is of an older version of the app"));
      status.language = data.language;
      return resolve(data.isRestored);
    });
  });
}

/**
 * End the engine, until the next call to `start`. Whoever waits for it gets no response. Nobody is told: in WebKit, a
 * listener that reads the database while the page is being left would block the database for the next page.
 */
function stop() {
  forget();
  runs += 1; // the end of this run must not be taken for a failure of the next one
  worker?.terminate();
  worker = null;
  calls.clear();
  started = null;
  isStale = true;
  queue = Promise.resolve();
  status.how = "none";
}

/**
 * The engine broke down while it was working. Start another one, but only once.
 * @param {Error} error
 */
function die(error) {
  deaths += 1;
  if (deaths >= MAX_DEATHS) {
    fail(error);
    return;
  }
  console.info("The engine is started again:", error.message);
  const waiting = [...calls.values()];
  stop();
  waiting.forEach(({ reject }) => reject(error));
  start();
}

/** @param {Error} error */
function fail(error) {
  worker?.terminate();
  calls.forEach(({ reject }) => reject(error));
  calls.clear();
  setStatus({ how: "failed", error });
}

/** @param {Extract<MessageFromEngine, {number: number}>} message */
function onMessage(message) {
  const call = calls.get(message.number);
  calls.delete(message.number);
  if (message.error === undefined) call?.resolve(message.answer);
  else call?.reject(new Error(message.error));
}

/**
 * Call a function of the engine; return the JSON that it answers.
 * @param {EngineCall["name"]} name
 * @param {string} text JSON.
 * @returns {Promise<string>}
 */
function callEngine(name, text) {
  return new Promise((resolve, reject) => {
    lastNumber += 1;
    calls.set(lastNumber, { resolve, reject });
    worker?.postMessage(/** @satisfies {EngineCall} */ ({ number: lastNumber, name, text }));
  });
}

/**
 * Do some work after all that was enqueued before; return what it returns.
 * @template T
 * @param {() => Promise<T>} work
 */
function enqueue(work) {
  const done = queue.then(work);
  queue = done.catch(() => {});
  return done;
}

async function load() {
  isStale = false; // from here on, a change makes it stale again
  try {
    const copy = await readRide();
    if (!copy) throw new Error("the ride is not on this phone");
    const missing = await addRelayed(await listMissing(copy.asked, copy.owner.event), copy.asked);
    const reply = JSON.parse(await callEngine("load", JSON.stringify({ ride: copy.ride, ...missing })));
    setStatus({ problems: reply.problems ?? [], owner: copy.owner });
  } catch (error) {
    isStale = true;
    throw error;
  }
}

async function loadIfStale() {
  if (isStale || !isCurrentDevice(status.owner?.device)) await load();
}

async function checkReady() {
  await started;
  if (status.how !== "ready") throw status.error ?? new Error("the app could not start");
}

/**
 * Handle a request, and finish storing the entries that it creates before the next request.
 * @param {EngineRequest} request
 * @param {(response: EngineReply) => Promise<void>} beforeNext is awaited before the next request.
 */
export async function answer(request, beforeNext) {
  await checkReady();
  return enqueue(async () => {
    await loadIfStale();
    const { method, path, headers, body, mayBeOpen = false } = request;
    await useLanguage(request.language);
    const now = new Date().toISOString();
    /** @type {EngineReply} */
    const response = JSON.parse(await callAnswer({ method, path, headers, body, now, may_be_open: mayBeOpen }));
    try {
      await beforeNext(response);
    } catch (error) {
      isStale = true; // the engine has entries that the store lacks
      throw error;
    }
    return response;
  });
}

/**
 * Call `answer`, which never raises: an error means that the engine itself broke down, as without memory.
 * @param {object} args
 */
async function callAnswer(args) {
  const number = runs;
  try {
    return await callEngine("answer", JSON.stringify(args));
  } catch (error) {
    if (number === runs && status.how === "ready") die(error);
    throw error;
  }
}

/**
 * Answer in a language from now on. An engine starts in that of the app's version at that moment. Another version may have
 * taken over since, while this page stayed open, and calls the engine for pages in another language.
 * @param {string} [wanted] that of the version that is in use; none if that is not what the request is about.
 */
async function useLanguage(wanted) {
  if (!wanted || wanted === status.language) return;
  try {
    const texts = await (await fetch(LANGUAGE)).text();
    if (JSON.parse(texts).language === wanted) setStatus({ language: JSON.parse(await callEngine("set_language", texts)) });
  } catch (error) {
    console.debug("The engine stays in its language:", error.message); // a page in another language is better than none
  }
}

/** Return whether this page is in another language than the app on this phone, which then answers in the other. */
export const isInOtherLanguage = () => ![undefined, document.documentElement.lang].includes(status.language);

/** Load the entries again before the next request: one was stored that the engine has not judged. */
export function forgetEntries() {
  isStale = true;
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
// A browser may keep a page that was left, to show it again, and the engine with it, which takes as much memory as
// several pages.
addEventListener("pagehide", stop);
addEventListener("pageshow", ({ persisted }) => { if (persisted) start(); });
document.addEventListener("phone:relayed", ({ detail }) => { if (["taken", "refused"].includes(detail.what)) isStale = true; });
document.addEventListener("phone:outbox", ({ detail }) => {
  // An entry that the server did not accept must not block the one that replaces it.
  if (["refused", "again"].includes(detail.what) || (detail.isElsewhere && detail.what === "kept")) isStale = true;
});

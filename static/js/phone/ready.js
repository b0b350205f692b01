// The page that shows whether this phone is ready for a ride without signal, and what to do if it is not.

import { formatMoment } from "../clock_times.js";
import { getElement } from "./elements.js";
import { isIosBrowser } from "./ios_browser.js";
import { listLosses } from "./memory.js";
import { count } from "./outbox.js";
import { isInOtherLanguage, status as engine } from "./engine.js";
import { getHead as getRide, status as ride } from "./ride_copy.js";
import { getFact } from "./store.js";
import { countWaiting } from "./swap/relayed.js";
import { canSign, status as key } from "./swap/signing.js";
import { fillText } from "./text.js";

const MAX_CLOCK_OFFSET = 120_000; // milliseconds a clock may be off without anyone noticing
const QUESTION_DELAY = 1_000; // milliseconds: a browser that does not answer by itself by then is asking the user

const isSupported = () => "serviceWorker" in navigator && "caches" in window && "locks" in navigator;

/** @typedef {"yes" | "no" | "wait"} State */

/** @type {boolean | null} */
let isSafe = null; // whether the browser promised to persist the storage
let isAsking = false; // whether it asks the user about that, as Firefox does

export function start() {
  for (const kind of /** @type {const} */ (["phone:engine", "phone:network", "phone:ride", "phone:update", "phone:outbox", "phone:relayed", "phone:sender", "phone:key"])) {
    document.addEventListener(kind, render);
  }
  navigator.serviceWorker?.ready.then(render);
  navigator.serviceWorker?.addEventListener("controllerchange", render);
  document.addEventListener("phone:page", check); // the user may navigate here from another page
  check();
}

function check() {
  if (!document.querySelector("[data-ready]")) return;
  requestPersistence().finally(render);
  render();
}

async function requestPersistence() {
  if (!navigator.storage?.persist) {
    isSafe = false;
    return;
  }
  if (await navigator.storage.persisted()) {
    isSafe = true;
    return;
  }
  if (isAsking) return;
  const timer = setTimeout(() => { isAsking = true; render(); }, QUESTION_DELAY);
  try {
    isSafe = await navigator.storage.persist();
  } finally {
    clearTimeout(timer);
    isAsking = false;
  }
}

// First everything is read, then shown in one go: the user may leave the page meanwhile.
async function render() {
  if (!document.querySelector("[data-ready]")) return;
  const [registration, copy, clock, waiting] = isSupported() ? await Promise.all([getRegistration(), getRide(), getFact("clock"), countAll()]) : [];
  const losses = isSupported() ? await listLosses(copy) : [];
  const page = document.querySelector("[data-ready]");
  if (!page) return;
  showInstallation();
  const needed = [showApp(registration), showRide(copy), showEngine()];
  const isDraft = showOpen(copy) === "no";
  showStorage();
  showClock(clock);
  showSent(waiting, losses);
  showSwap();
  const summary = getElement(page, "[data-ready-summary]");
  const state = needed.includes("no") ? "no" : needed.includes("wait") ? "wait" : isDraft ? "draft" : "yes";
  const text = summary.dataset[state] ?? "";
  if (summary.textContent !== text) {
    summary.textContent = text;
    document.dispatchEvent(new CustomEvent("say", { detail: text }));
  }
  page.dataset.ready = state;
}

const getRegistration = () => navigator.serviceWorker.getRegistration("/");
const countAll = async () => (await count()).waiting + await countWaiting();

/**
 * Show the state of one check.
 * @param {string} name of the check.
 * @param {State} state
 * @param {string} [word] which text says more about it.
 * @param {Record<string, string | number>} [words] for that text.
 */
function set(name, state, word = state, words = {}) {
  const line = getElement(document, `[data-check="${name}"]`);
  line.classList.remove("check--yes", "check--no", "check--wait");
  line.classList.add(`check--${state}`);
  const label = getElement(line, "[data-check-word]");
  label.textContent = label.dataset[state] ?? "";
  getElement(line, "[data-check-what]").textContent = fillText(line.dataset[word] ?? "", words);
  return state;
}

function showInstallation() {
  const isMissing = isIosBrowser();
  getElement(document, '[data-check="install"]').hidden = !isMissing;
  return set("install", isMissing ? "no" : "yes");
}

/** @param {ServiceWorkerRegistration} [registration] */
function showApp(registration) {
  if (!window.isSecureContext) return set("app", "no", "insecure");
  if (!isSupported()) return set("app", "no", "unable");
  return set("app", registration?.active && !isInOtherLanguage() ? "yes" : "wait");
}

/** @param {RideHead} [copy] */
function showRide(copy) {
  if (ride.how === "signed_out") return set("ride", "no", "signedOut");
  if (ride.how === "deleted") return set("ride", "no", "deleted");
  if (copy) return set("ride", "yes", "yes", { t: formatMoment(new Date(copy.asked), copy.owner.utc_offset) });
  return ride.how === "away" ? set("ride", "no") : set("ride", "wait");
}

/** @param {RideHead} [copy] */
function showOpen(copy) {
  if (!copy) return set("open", "wait");
  return set("open", copy.owner.is_draft ? "no" : "yes");
}

function showEngine() {
  if (engine.how === "ready") return set("engine", "yes");
  return engine.how === "failed" || !isSupported() ? set("engine", "no") : set("engine", "wait");
}

function showStorage() {
  if (isAsking || isSafe === null) return set("storage", "wait", isAsking ? "asked" : "wait");
  if (isSafe) return set("storage", "yes");
  return set("storage", "no", isIosBrowser() ? "installable" : "no");
}

/** @param {Facts["clock"]} [clock] */
function showClock(clock) {
  if (!clock) return set("clock", "wait");
  const minutes = Math.round(Math.abs(clock.ahead) / 60_000);
  return Math.abs(clock.ahead) <= MAX_CLOCK_OFFSET ? set("clock", "yes") : set("clock", "no", "no", { t: `${minutes} min` });
}

/**
 * @param {number} [waiting]
 * @param {MemoryLoss[]} [losses]
 */
function showSent(waiting = 0, losses = []) {
  if (losses.length && !waiting) return set("sent", "no", "lost", { n: losses.reduce((sum, { missing }) => sum + missing, 0) });
  return waiting ? set("sent", "no", ride.how === "deleted" ? "deleted" : "no", { n: waiting }) : set("sent", "yes");
}

function showSwap() {
  if (!canSign()) return set("swap", "no", "unable");
  return set("swap", key.how === "yes" || key.how === "no" ? key.how : "wait");
}

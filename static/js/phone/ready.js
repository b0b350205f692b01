// The page that shows whether this phone is ready for a ride without signal, and what to do if it is not.

import { count } from "./outbox.js";
import { status as engine } from "./engine.js";
import { getHead as getRide, status as ride } from "./ride_copy.js";
import { getFact } from "./store.js";
import { countWaiting } from "./swap/relayed.js";
import { canSign, status as key } from "./swap/signing.js";

const MAX_CLOCK_OFFSET = 120_000; // milliseconds a clock may be off without anyone noticing

const isSupported = () => "serviceWorker" in navigator && "caches" in window && "locks" in navigator;

let isSafe = null; // whether the browser promised to persist the storage

export function start() {
  for (const kind of ["phone:engine", "phone:network", "phone:ride", "phone:update", "phone:outbox", "phone:relayed", "phone:sender", "phone:key"]) {
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
  isSafe = await navigator.storage.persisted() || await navigator.storage.persist();
}

// First everything is read, then shown in one go: the user may leave the page meanwhile.
async function render() {
  if (!document.querySelector("[data-ready]")) return;
  const [registration, copy, clock, waiting] = isSupported() ? await Promise.all([getRegistration(), getRide(), getFact("clock"), countAll()]) : [];
  const page = document.querySelector("[data-ready]");
  if (!page) return;
  const needed = [showApp(registration), showRide(copy), showEngine()];
  showStorage();
  showClock(clock);
  showSent(waiting);
  showSwap();
  const summary = page.querySelector("[data-ready-summary]");
  const state = needed.includes("no") ? "no" : needed.includes("wait") ? "wait" : "yes";
  if (summary.textContent !== summary.dataset[state]) {
    summary.textContent = summary.dataset[state];
    document.dispatchEvent(new CustomEvent("say", { detail: summary.textContent }));
  }
  page.dataset.ready = state;
}

const getRegistration = () => navigator.serviceWorker.getRegistration("/");
const countAll = async () => (await count()).waiting + await countWaiting();

function set(key, state, word = state, words = {}) {
  const line = document.querySelector(`[data-check="${key}"]`);
  line.classList.remove("check--yes", "check--no", "check--wait");
  line.classList.add(`check--${state}`);
  const label = line.querySelector("[data-check-word]");
  label.textContent = label.dataset[state];
  const text = Object.entries(words).reduce((all, [name, value]) => all.replace(`{${name}}`, value), line.dataset[word] ?? "");
  line.querySelector("[data-check-what]").textContent = text;
  return state;
}

function showApp(registration) {
  if (!window.isSecureContext) return set("app", "no", "insecure");
  if (!isSupported()) return set("app", "no", "unable");
  return set("app", registration?.active ? "yes" : "wait");
}

function showRide(copy) {
  if (ride.how === "signed_out") return set("ride", "no", "signedOut");
  if (ride.how === "deleted") return set("ride", "no", "deleted");
  if (copy) return set("ride", "yes", "yes", { t: new Date(copy.asked).toLocaleTimeString([], { timeStyle: "short" }) });
  return ride.how === "away" ? set("ride", "no") : set("ride", "wait");
}

function showEngine() {
  if (engine.how === "ready") return set("engine", "yes");
  return engine.how === "failed" || !isSupported() ? set("engine", "no") : set("engine", "wait");
}

function showStorage() {
  if (isSafe === null) return set("storage", "wait");
  return set("storage", isSafe ? "yes" : "no");
}

function showClock(clock) {
  if (!clock) return set("clock", "wait");
  const minutes = Math.round(Math.abs(clock.ahead) / 60_000);
  return Math.abs(clock.ahead) <= MAX_CLOCK_OFFSET ? set("clock", "yes") : set("clock", "no", "no", { t: `${minutes} min` });
}

function showSent(waiting) {
  return waiting ? set("sent", "no", ride.how === "deleted" ? "deleted" : "no", { n: waiting }) : set("sent", "yes");
}

function showSwap() {
  if (!canSign()) return set("swap", "no", "unable");
  return set("swap", key.how === "yes" || key.how === "no" ? key.how : "wait");
}

// The switch for notifications on public pages: asks the browser for permission and for an address at its push service,
// and the server to send there. Where that cannot work, the page says why.
//
// The service worker has a scope of its own, /push/, in which there are no pages. The crew's has the scope /, so the
// two never replace each other, and a phone of the crew can have both.

import { isIosBrowser } from "./phone/ios_browser.js";

const SCRIPT = "/push/worker.js";
const SCOPE = "/push/";
const REMEMBERED = "tailgunner-push"; // the last endpoint, to be told apart from one that the push service has replaced

/** @typedef {{ topic: string, text: string, url: string, event: string, contest: string, entrant: string }} Told */
/** @typedef {{ told: Told[], is_offline: boolean }} Answer */

/** The reason why something did not work, as the page explains it. */
class Refusal extends Error {}

const section = /** @type {HTMLElement} */ (document.querySelector("[data-push]"));
const startButton = /** @type {HTMLButtonElement} */ (section?.querySelector("[data-push-start]"));
const stopButton = /** @type {HTMLButtonElement} */ (section?.querySelector("[data-push-stop]"));

/** Return why this browser cannot be told anything here; "" if it can. */
function findObstacle() {
  if (!("setUp" in section.dataset)) return "setup";
  if (!window.isSecureContext) return "insecure";
  const isSupported = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (!isSupported) return isIosBrowser() ? "ios" : "unsupported";
  return Notification.permission === "denied" ? "denied" : "";
}

/** @param {string} why of the paragraph to show; "" for none. */
function explain(why) {
  /** @type {NodeListOf<HTMLElement>} */
  const texts = section.querySelectorAll("[data-why]");
  const isKnown = !why || [...texts].some((text) => text.dataset.why === why);
  texts.forEach((text) => { text.hidden = text.dataset.why !== (isKnown ? why : "failed"); });
}

/** Return our registration. `getRegistration` alone could return the crew's, whose scope contains ours. */
async function findRegistration() {
  const found = await navigator.serviceWorker.getRegistration(SCOPE);
  return found && new URL(found.scope).pathname === SCOPE ? found : null;
}

const findSubscription = async () => (await findRegistration())?.pushManager.getSubscription() ?? null;

/**
 * @param {string} what is asked, the end of the address.
 * @param {object} data
 * @returns {Promise<Answer>}
 */
async function ask(what, data) {
  let answer;
  try {
    const headers = { "Content-Type": "application/json", "X-Tailgunner-Language": document.documentElement.lang };
    answer = await fetch(SCOPE + what, { method: "POST", headers, body: JSON.stringify(data) });
  } catch {
    throw new Refusal("away");
  }
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(content.why ?? "failed");
  return content;
}

async function fetchKey() {
  const answer = await fetch(`${SCOPE}key`).catch(() => { throw new Refusal("away"); });
  const content = await answer.json().catch(() => ({}));
  if (!content.key) throw new Refusal(answer.ok ? "setup" : "failed");
  const text = content.key.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Register the service worker, and return its registration once it can receive messages. */
async function register() {
  const registration = await navigator.serviceWorker.register(SCRIPT, { scope: SCOPE, updateViaCache: "none" });
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (worker && worker.state !== "activated") {
    await new Promise((resolve) => {
      worker.addEventListener("statechange", () => { if (worker.state === "activated") resolve(undefined); });
    });
  }
  return registration;
}

/** Return this browser's subscription at its push service, a new one if there is none for the server's key. */
async function subscribe() {
  const applicationServerKey = await fetchKey();
  const { pushManager } = await register();
  const options = { userVisibleOnly: true, applicationServerKey };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    // The server may have another key than when this browser subscribed: nothing could be sent to it any more.
    const old = error.name === "InvalidStateError" ? await pushManager.getSubscription() : null;
    if (!old) throw new Refusal(error.name === "NotAllowedError" ? "denied" : "service");
    await old.unsubscribe();
    const subscription = await pushManager.subscribe(options);
    await ask("move", { endpoint: old.endpoint, new: subscription });
    return subscription;
  }
}

/** @param {Told} one whether that is what the switch of this page is about. */
function isOfThisPage({ event, contest, entrant }) {
  const { dataset } = section;
  return event === dataset.event && contest === dataset.contest && entrant === dataset.entrant;
}

/** @param {Answer} answer */
function show({ told, is_offline: isOffline }) {
  const current = told.find(isOfThisPage);
  startButton.hidden = Boolean(current);
  stopButton.hidden = !current;
  stopButton.dataset.topic = current?.topic ?? "";
  explain(current ? "on" : "");
  section.querySelector("[data-push-offline]").hidden = !isOffline;
  section.querySelector("[data-push-list]").hidden = told.length === 0;
  const template = /** @type {HTMLTemplateElement} */ (section.querySelector("[data-push-item]"));
  const items = told.map(({ topic, text, url }) => {
    const item = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const link = /** @type {HTMLAnchorElement} */ (item.querySelector("a"));
    link.textContent = text;
    link.href = url;
    const button = item.querySelector("button");
    button.setAttribute("aria-label", `${button.textContent} · ${text}`);
    button.addEventListener("click", () => attempt(button, () => stop(topic)));
    return item;
  });
  section.querySelector("[data-push-told]").replaceChildren(...items);
}

async function start() {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") throw new Refusal(permission === "denied" ? "denied" : "dismissed");
  const subscription = await subscribe();
  localStorage.setItem(REMEMBERED, subscription.endpoint);
  const { event, contest, entrant } = section.dataset;
  show(await ask("follow", { ...subscription.toJSON(), event, contest, entrant }));
  stopButton.focus();
}

/** @param {string} topic */
async function stop(topic) {
  const subscription = await findSubscription();
  if (!subscription) return;
  const answer = await ask("stop", { endpoint: subscription.endpoint, topic });
  if (answer.told.length === 0) {
    await subscription.unsubscribe();
    localStorage.removeItem(REMEMBERED);
  }
  show(answer);
  (startButton.hidden ? stopButton : startButton).focus();
}

/**
 * @param {HTMLButtonElement} button
 * @param {() => Promise<void>} action what it does; once at a time.
 */
async function attempt(button, action) {
  button.disabled = true;
  try {
    await action();
  } catch (error) {
    explain(error instanceof Refusal ? error.message : "failed");
  } finally {
    button.disabled = false;
  }
}

/** Show what this browser is told, also when its push service has given it another address since. */
async function refresh() {
  const subscription = await findSubscription();
  startButton.hidden = false;
  if (!subscription) return;
  const before = localStorage.getItem(REMEMBERED);
  const isMoved = before && before !== subscription.endpoint;
  show(await (isMoved ? ask("move", { endpoint: before, new: subscription }) : ask("told", { endpoint: subscription.endpoint })));
  localStorage.setItem(REMEMBERED, subscription.endpoint);
}

if (section) {
  const obstacle = findObstacle();
  explain(obstacle);
  section.hidden = false;
  if (!obstacle) {
    startButton.addEventListener("click", () => attempt(startButton, start));
    stopButton.addEventListener("click", () => attempt(stopButton, () => stop(stopButton.dataset.topic ?? "")));
    refresh().catch((error) => explain(error instanceof Refusal ? error.message : "failed"));
  }
}

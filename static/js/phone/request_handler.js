// Answers the service worker's requests with the engine, after the entries that a request created have been stored.
//
// - While the engine is still starting, a tap is stored as it is, and the user is told so. It is replayed in its turn:
//   here, or when the next page opens, if the browser is killed before.
// - A step that records nothing, such as a tap on a die, does not wait for the engine if the server responds first.
// - A tap for the server is stored until the server has responded. A tap is for the server if only the server can
//   handle it, or if it concerns something that this phone does not know.

import * as engine from "./engine.js";
import { getOwner, isOtherDevice } from "./owner.js";
import { refreshAnew, status as ride } from "./ride_copy.js";
import { readTyped } from "./refill.js";
import { belongsTo, count, deleteTap, getTap, listTaps, storeOperations, storeTap, storeUnsendable } from "./outbox.js";

/** @type {Protocol} */
const PROTOCOL = 1;
const NEEDS_SIGNAL = 503; // the engine's status for: only the server can handle this
const UNKNOWN = new Set([403, 404, 410, 500]); // the server may know, allow or compute more
const SHOWN_AGAIN = new Set([409, 422]); // the form is shown again, with the problem and the user's input
const NO_LONGER_OURS = new Set([401, 410]); // signed out, or the ride was deleted
const SERVER_FAILED = 500; // and above
const MAX_REDIRECTS = 5;
const DRAFT_CHECK_TIMEOUT = 5_000; // milliseconds
const STEP_TIMEOUT = 500; // milliseconds for the engine, before the server is asked as well
// The buttons of the steps that change only what a form shows. A form that records is sent with none of them.
const STEPS = /(?:^|&)(?:face|back|clear|switch|tap%3A[^=&]*)=/;

/** @type {Promise<void> | null} */
let isReplaying = null; // a promise while taps of an earlier page are replayed: these come first
/** @type {Promise<Tap[]>} */
let pendingTaps = Promise.resolve([]);
let notRecorded = "";

// The text of the page that is shown now: it may be in another language than the one that was opened.
const getNotRecorded = () => document.querySelector("#phone-bar")?.dataset.notRecorded ?? notRecorded;

/**
 * Listen to the service worker.
 * @param {string} message the problem shown for a tap that could not be recorded. An error page has no bar to read it from.
 */
export function listen(message) {
  notRecorded = message;
  pendingTaps = listTaps();
  pendingTaps.catch(() => {}); // whoever waits for them finds out
  navigator.serviceWorker.addEventListener("message", (event) => {
    /** @type {MessageToPage | null} */
    const data = event.data;
    if (!data) return;
    if ("ask" in data) handleWorkerRequest(data, event.ports[0]);
    else if (data.tell === "answered") settleServerAnswer(data);
  });
  navigator.serviceWorker.startMessages();
}

/**
 * @param {EngineRequest & {when: AskWhen, protocol?: Protocol}} request
 * @param {MessagePort} port
 */
async function handleWorkerRequest(request, port) {
  /** @param {MessageThroughPort} message */
  const reply = (message) => port.postMessage(message);
  try {
    if ((request.protocol ?? PROTOCOL) > PROTOCOL || !(await canHandle(request))) return reply({});
    reply({ isTaken: true, protocol: PROTOCOL });
    if (request.method !== "POST") return reply(await handleGet(request));
    return reply(await (STEPS.test(request.body) ? handleStep(request) : handlePost(request)));
  } catch (error) {
    console.info("The phone cannot handle this request:", error.message);
    return reply({ tap: error.tap });
  }
}

/** @param {{when: AskWhen}} request */
async function canHandle({ when }) {
  if (when === "ahead") return engine.status.how === "ready" && (await count()).waiting > 0;
  return engine.isExpected();
}

/**
 * Return the phone's response to a GET request, after following redirects.
 * @param {EngineRequest} request
 * @returns {Promise<PageReply>}
 */
export async function handleGet(request) {
  await isReplaying;
  const reply = await engine.answer(request, async () => {});
  if (reply.status === NEEDS_SIGNAL) return { ...reply, isUnable: true };
  const page = await follow(reply, request);
  return { ...page, isUnknown: UNKNOWN.has(page.status) };
}

/**
 * Follow redirects, unless the browser does.
 * @param {EngineReply} reply
 * @param {EngineRequest} request
 */
async function follow(reply, request) {
  if (request.isNavigation) return reply;
  let path = request.path;
  for (let steps = 0; isRedirect(reply) && steps < MAX_REDIRECTS; steps += 1) {
    path = readPath(reply, path);
    reply = await engine.answer({ ...request, method: "GET", path, body: "" }, async () => {});
  }
  return { ...reply, headers: { ...reply.headers, "X-Tailgunner-Path": path } };
}

/** @param {EngineReply} reply */
const isRedirect = ({ status }) => status >= 300 && status < 400 && status !== 304;

/**
 * @param {EngineReply} reply a redirect.
 * @param {string} before the path that it is the answer to.
 */
function readPath(reply, before) {
  const url = new URL(new Headers(reply.headers).get("location") ?? "", new URL(before, location.origin));
  return `${url.pathname}${url.search}`;
}

/**
 * @param {EngineRequest} request
 * @returns {Promise<PageReply>}
 */
async function handlePost(request) {
  await isReplaying;
  const label = describeTap(request);
  const tap = await storeTap(request, label, engine.status.owner ?? await getOwner());
  if (engine.status.how !== "ready") document.dispatchEvent(new CustomEvent("phone:tap"));
  let reply;
  try {
    const mayBeOpen = await mayBeOpenNow();
    reply = await engine.answer({ ...request, mayBeOpen }, (answer) => settleTap(answer, request, label, tap));
  } catch (error) {
    throw Object.assign(error, { tap });
  }
  if (isForServer(reply)) {
    const isUnable = reply.status === NEEDS_SIGNAL;
    return { ...reply, isUnable, isUnknown: !isUnable, tap };
  }
  if (reply.operations.length) document.dispatchEvent(new CustomEvent("phone:recorded", { detail: request }));
  return follow(reply, request);
}

/**
 * Return what comes first: the phone's response, or the server's if the phone takes long, as while its engine starts.
 * @param {EngineRequest} request
 * @returns {Promise<PageReply>}
 */
async function handleStep(request) {
  const phone = handlePost(request);
  const isSlow = new Promise((resolve) => { setTimeout(resolve, STEP_TIMEOUT, true); });
  if (!(await Promise.race([phone.then(() => false), isSlow]))) return phone;
  const server = send(request).then((answer) => (answer && isShown(answer) ? readReply(answer) : phone));
  return Promise.race([phone, server]);
}

/** @param {Response} answer */
const isShown = ({ ok, status }) => ok || SHOWN_AGAIN.has(status);

/**
 * @param {Response} answer
 * @returns {Promise<PageReply>}
 */
async function readReply(answer) {
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name === "content-type" || name.startsWith("hx-")));
  return { status: answer.status, headers, body: await answer.text(), operations: [] };
}

/** Return whether the ride is a draft in this phone's copy, and the server cannot be asked whether it still is. */
async function mayBeOpenNow() {
  if (!(await engine.readOwner())?.is_draft) return false;
  /** @type {Promise<boolean>} */
  const timeout = new Promise((resolve) => { setTimeout(resolve, DRAFT_CHECK_TIMEOUT, true); });
  return Promise.race([refreshAnew().then(() => ride.how !== "ok"), timeout]);
}

/** @param {EngineReply} reply */
const isForServer = ({ status, operations }) => !operations?.length && (status === NEEDS_SIGNAL || UNKNOWN.has(status));

/**
 * Store what a tap recorded in the place of the tap, unless it is for the server.
 * @param {EngineReply} reply
 * @param {EngineRequest} request
 * @param {string} label
 * @param {number} tap
 */
async function settleTap(reply, request, label, tap) {
  if (reply.operations?.length) {
    const source = { label: readAnnouncement(reply.body) || label, path: request.path, form: readTyped(request.body), owner: engine.status.owner };
    await storeOperations(reply.operations, source, tap);
  } else if (!isForServer(reply)) await deleteTap(tap);
}

/**
 * The server has responded to a tap. The tap is deleted only if the server accepted it or showed the form again.
 * @param {{tap: number, status: number}} message
 */
async function settleServerAnswer({ tap, status }) {
  if (status < 400 || SHOWN_AGAIN.has(status)) return deleteTap(tap);
  if (NO_LONGER_OURS.has(status) || status >= SERVER_FAILED) return undefined; // it is retried when a page opens
  const stored = await getTap(tap);
  if (!stored) return undefined; // a page that opened meanwhile has replayed it
  const { request, label, owner } = stored;
  return storeUnsendable({ label, path: request.path, form: readTyped(request.body), owner }, getNotRecorded(), tap);
}

/** @param {string} text */
const shorten = (text) => text.replace(/\s+/g, " ").trim();

/**
 * Return what the user has done on this page: its title, the dice, what was typed, and the button.
 * @param {EngineRequest} request
 */
function describeTap({ body }) {
  const sent = new URLSearchParams(body);
  const form = document.querySelector("main form[method=post]");
  const dice = [...form?.querySelectorAll(".place .die__digit") ?? []].map((digit) => digit.textContent);
  const inputs = /** @type {HTMLInputElement[]} */ ([...form?.querySelectorAll("input:is([type=text], [type=number], [type=search], :not([type])), textarea") ?? []]);
  const typed = inputs.filter(({ value }) => value).map(({ value, labels }) => `${labels?.[0]?.innerText ?? ""} ${value}`);
  const buttons = /** @type {HTMLButtonElement[]} */ ([...form?.querySelectorAll("button[name]") ?? []]);
  const pressed = buttons.find(({ name, value }) => sent.getAll(name).includes(value))?.innerText ?? "";
  const title = document.querySelector("h1")?.innerText ?? document.title;
  const details = [dice.join(" "), ...typed, pressed].map(shorten).filter(Boolean).join(", ");
  return shorten(details ? `${title}: ${details}` : title);
}

/** @param {string} body */
function readAnnouncement(body) {
  const page = new DOMParser().parseFromString(body, "text/html");
  return page.querySelector("[data-say]")?.dataset.say ?? "";
}

/** Replay taps of earlier pages. */
export function replayPendingTaps() {
  isReplaying ??= replayAll().catch((error) => console.info("Some taps are still pending:", error.message)).finally(() => { isReplaying = null; });
  return isReplaying;
}

async function replayAll() {
  const taps = await pendingTaps;
  const unsent = [];
  while (taps.length) {
    if (!(await replay(taps[0]))) unsent.push(taps[0]);
    taps.shift();
    document.dispatchEvent(new CustomEvent("phone:judged"));
  }
  pendingTaps = Promise.resolve(unsent);
}

/**
 * Return whether a tap is settled; otherwise it has to be sent to the server again.
 * @param {Tap} tap
 */
async function replay({ number, request, label, owner }) {
  const about = { label, path: request.path, form: readTyped(request.body), owner };
  // A tap from before the phone switched to the practice, or back, is replayed when it has switched again.
  if (isOtherDevice(owner?.device)) return false;
  // A tap of another crew member cannot be replayed on this member's ride.
  if (!belongsTo({ owner }, (await engine.readOwner())?.member)) {
    await storeUnsendable(about, getNotRecorded(), number);
    return true;
  }
  const reply = await engine.answer({ ...request, mayBeOpen: await mayBeOpenNow() }, async (answer) => {
    if (answer.operations?.length || answer.status < 400) return settleTap(answer, request, label, number);
    if (isForServer(answer)) return undefined;
    return storeUnsendable(about, readProblems(answer.body) || getNotRecorded(), number);
  });
  if (!isForServer(reply)) return true;
  const answer = await send(request);
  if (!answer || NO_LONGER_OURS.has(answer.status) || answer.status >= SERVER_FAILED) return false;
  if (answer.ok) await deleteTap(number);
  else await storeUnsendable(about, readProblems(await answer.text()) || getNotRecorded(), number);
  return true;
}

/**
 * Send a tap to the server as its page would have; return undefined if the server itself does not respond.
 * @param {EngineRequest} request
 */
async function send({ path, headers, body }) {
  try {
    const answer = await fetch(path, {
      method: "POST", body, headers: { ...headers, "X-Tailgunner-Tap": "1" }, credentials: "same-origin", cache: "no-store",
    });
    return answer.headers.has("X-Tailgunner") ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} body */
function readProblems(body) {
  const page = new DOMParser().parseFromString(body, "text/html");
  const errors = page.querySelectorAll(".error-summary li, .error-summary p");
  const lines = [...errors.length ? errors : page.querySelectorAll("main [role=alert] p")]; // or a question that has to be answered
  return lines.map((line) => line.textContent.replace(/\s+/g, " ").trim()).join(" ");
}

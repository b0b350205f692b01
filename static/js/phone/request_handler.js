// Answers the service worker's requests with the engine, after the entries that a request created have been stored.
//
// - While the engine is still starting, a tap is stored as it is, and the user is told so. It is replayed in its turn:
//   here, or when the next page opens, if the browser is killed before.
// - A tap for the server is stored until the server has responded. A tap is for the server if only the server can
//   handle it, or if it concerns something that this phone does not know.

import * as engine from "./engine.js";
import { getOwner, isOtherDevice } from "./owner.js";
import { refreshAnew, status as ride } from "./ride_copy.js";
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

/** @type {Promise<void> | null} */
let isReplaying = null; // a promise while taps of an earlier page are replayed: these come first
/** @type {Promise<Tap[]>} */
let pendingTaps = Promise.resolve([]);
let notRecorded = "";

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
    return reply(request.method === "POST" ? await handlePost(request) : await handleGet(request));
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
  const label = describePage();
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
    const source = { label: readAnnouncement(reply.body) || label, path: request.path, owner: engine.status.owner };
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
  return storeUnsendable({ label, path: request.path, owner }, notRecorded, tap);
}

const describePage = () => (document.querySelector("h1")?.innerText ?? document.title).replace(/\s+/g, " ").trim();

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
  const about = { label, path: request.path, owner };
  // A tap from before the phone switched to the practice, or back, is replayed when it has switched again.
  if (isOtherDevice(owner?.device)) return false;
  // A tap of another crew member cannot be replayed on this member's ride.
  if (!belongsTo({ owner }, (await engine.readOwner())?.member)) {
    await storeUnsendable(about, notRecorded, number);
    return true;
  }
  const reply = await engine.answer({ ...request, mayBeOpen: await mayBeOpenNow() }, async (answer) => {
    if (answer.operations?.length || answer.status < 400) return settleTap(answer, request, label, number);
    if (isForServer(answer)) return undefined;
    return storeUnsendable(about, readProblems(answer.body) || notRecorded, number);
  });
  if (!isForServer(reply)) return true;
  const answer = await send(request);
  if (!answer || NO_LONGER_OURS.has(answer.status) || answer.status >= SERVER_FAILED) return false;
  if (answer.ok) await deleteTap(number);
  else await storeUnsendable(about, readProblems(await answer.text()) || notRecorded, number);
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
  const lines = [...page.querySelectorAll(".error-summary li, .error-summary p")];
  return lines.map((line) => line.textContent.replace(/\s+/g, " ").trim()).join(" ");
}

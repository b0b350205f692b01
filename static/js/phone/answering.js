// What the page answers when the service worker asks it: by the engine, after what that noted is in the store.
//
// A tap that the engine cannot judge yet, because it is still starting, is kept as it is and said to be; it is judged in
// its turn, here or, if the browser is killed before, when the next page opens. A tap that is for the server, because only
// that can do it or because it is about something that this phone does not know, is kept until the server has answered.

import * as engine from "./engine.js";
import { getOwner } from "./owner.js";
import { refresh, status as ride } from "./ride.js";
import { count, dropTap, getTap, isOf, keep, keepTap, keepUnsendable, listTaps } from "./outbox.js";

const NEEDS_SIGNAL = 503; // the engine's word for: this is for the server
const UNKNOWN = new Set([403, 404, 410, 500]); // which the server may know, allow, or work out
const SHOWN_AGAIN = new Set([409, 422]); // with the reason, and with what was tapped
const SIGNED_OUT = 401;
const SERVER_FAILED = 500; // and above
const FOLLOWED = 5;
const DRAFT_ASKED = 5_000; // milliseconds

let isJudging = null; // taps of a page before this one go first
let left = null;

export function listen() {
  left = listTaps();
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (data?.ask === "answer") answerWorker(data, ports[0]);
    else if (data?.tell === "answered") settleByServer(data);
  });
  navigator.serviceWorker.startMessages();
}

async function answerWorker(asked, port) {
  const isAhead = engine.status.how === "ready" && (await count()).waiting > 0;
  const can = asked.when === "ahead" ? isAhead : await engine.isExpected();
  if (!can) return port.postMessage({});
  port.postMessage({ isTaken: true });
  try {
    return port.postMessage(asked.method === "POST" ? await take(asked) : await show(asked));
  } catch (error) {
    console.info("The phone cannot answer:", error.message);
    return port.postMessage({ tap: error.tap });
  }
}

/** Return what the phone shows at an address, redirections followed. */
export async function show(request) {
  await isJudging;
  const told = await engine.answer(request, async () => {});
  if (told.status === NEEDS_SIGNAL) return { ...told, isUnable: true };
  const page = await follow(told, request);
  return { ...page, isUnknown: UNKNOWN.has(page.status) };
}

async function follow(told, request) {
  if (request.isNavigation) return told;
  let path = request.path;
  for (let steps = 0; isRedirect(told) && steps < FOLLOWED; steps += 1) {
    path = readPath(told, path);
    told = await engine.answer({ ...request, method: "GET", path, body: "" }, async () => {});
  }
  return { ...told, headers: { ...told.headers, "X-Tailgunner-Path": path } };
}

const isRedirect = ({ status }) => status >= 300 && status < 400 && status !== 304;
const getHeader = (headers, name) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

function readPath(told, before) {
  const url = new URL(getHeader(told.headers, "location"), new URL(before, location.origin));
  return `${url.pathname}${url.search}`;
}

async function take(request) {
  await isJudging;
  const label = describePage();
  const tap = await keepTap(request, label, engine.status.owner ?? await getOwner());
  if (engine.status.how !== "ready") document.dispatchEvent(new CustomEvent("phone:tap"));
  let told;
  try {
    const mayBeOpen = await isPerhapsOpen();
    told = await engine.answer({ ...request, mayBeOpen }, (answer) => settle(answer, request, label, tap));
  } catch (error) {
    throw Object.assign(error, { tap });
  }
  if (isForServer(told)) {
    const isUnable = told.status === NEEDS_SIGNAL;
    return { ...told, isUnable, isUnknown: !isUnable, tap };
  }
  if (told.operations.length) document.dispatchEvent(new CustomEvent("phone:noted", { detail: request }));
  return follow(told, request);
}

/** Return whether the ride was a draft in this phone's copy, and the server cannot be asked whether it still is. */
async function isPerhapsOpen() {
  if (!(await engine.readOwner()).is_draft) return false;
  const tooLong = new Promise((resolve) => { setTimeout(resolve, DRAFT_ASKED, true); });
  return Promise.race([refresh().then(() => ride.how !== "ok"), tooLong]);
}

const isForServer = ({ status, operations }) => !operations?.length && (status === NEEDS_SIGNAL || UNKNOWN.has(status));

async function settle(told, request, label, tap) {
  if (told.operations?.length) await keep(told.operations, { label: readSaid(told.body) || label, path: request.path, owner: engine.status.owner }, tap);
  else if (!isForServer(told)) await dropTap(tap);
}

// The server has answered a tap that was for it. Only one that it took, or showed again, is done with.
async function settleByServer({ tap, status }) {
  if (status < 400 || SHOWN_AGAIN.has(status)) return dropTap(tap);
  if (status === SIGNED_OUT || status >= SERVER_FAILED) return undefined; // it is tried once more when a page opens
  const { request, label, owner } = await getTap(tap);
  return keepUnsendable({ label, path: request.path, owner }, document.getElementById("phone-bar").dataset.notNoted, tap);
}

const describePage = () => (document.querySelector("h1")?.innerText ?? document.title).replace(/\s+/g, " ").trim();

function readSaid(body) {
  const page = new DOMParser().parseFromString(body, "text/html");
  return page.querySelector("[data-say]")?.dataset.say ?? "";
}

/** Judge what was tapped on a page that is gone. `told` is the sentence for what came to nothing. */
export function judgeLeftTaps(told) {
  isJudging ??= judgeAll(told).catch((error) => console.info("Taps are left:", error.message)).finally(() => { isJudging = null; });
  return isJudging;
}

async function judgeAll(message) {
  const taps = await left;
  const unsent = [];
  while (taps.length) {
    if (!(await judge(taps[0], message))) unsent.push(taps[0]);
    taps.shift();
    document.dispatchEvent(new CustomEvent("phone:judged"));
  }
  left = Promise.resolve(unsent);
}

/** Return whether a tap is done with; else the server has to be asked again. */
async function judge({ number, request, label, owner }, message) {
  const about = { label, path: request.path, owner };
  // Somebody else's ride cannot judge it.
  if (!isOf({ owner }, (await engine.readOwner()).member)) return await keepUnsendable(about, message, number), true;
  const told = await engine.answer({ ...request, mayBeOpen: await isPerhapsOpen() }, async (answer) => {
    if (answer.operations?.length || answer.status < 400) return settle(answer, request, label, number);
    if (isForServer(answer)) return undefined;
    return keepUnsendable(about, readRefusal(answer.body) || message, number);
  });
  if (!isForServer(told)) return true;
  const answer = await send(request);
  if (!answer || answer.status === SIGNED_OUT || answer.status >= SERVER_FAILED) return false;
  if (answer.ok) await dropTap(number);
  else await keepUnsendable(about, readRefusal(await answer.text()) || message, number);
  return true;
}

/** Send a tap to the server as its page would have; undefined where no answer of its own comes. */
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

function readRefusal(body) {
  const page = new DOMParser().parseFromString(body, "text/html");
  const lines = [...page.querySelectorAll(".error-summary li, .error-summary p")];
  return lines.map((one) => one.textContent.replace(/\s+/g, " ").trim()).join(" ");
}

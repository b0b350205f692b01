// What the page answers when the service worker asks it: by the engine, after what that noted is in the store.
//
// A tap that the engine cannot judge yet, because it is still starting, is kept as it is and said to be; it is judged in
// its turn, here or, if the browser is killed before, when the next page opens.

import * as engine from "./engine.js";
import { getOwner } from "./owner.js";
import { count, dropTap, isOf, keep, keepTap, keepUnsendable, listTaps } from "./outbox.js";

const NEEDS_SIGNAL = 503; // the engine's word for: this is for the server
const FOLLOWED = 5;

let isJudging = null; // taps of a page before this one go first
let left = null;

export function listen() {
  left = listTaps();
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (data?.ask === "answer") answerWorker(data, ports[0]);
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
    return port.postMessage({});
  }
}

/** Return what the phone shows at an address, redirections followed. */
export async function show(request) {
  await isJudging;
  const told = await engine.answer(request, async () => {});
  return told.status === NEEDS_SIGNAL ? { ...told, isUnable: true } : follow(told, request);
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
    told = await engine.answer(request, (answer) => settle(answer, request, label, tap));
  } catch (error) {
    await dropTap(tap); // it goes on to the server, and its page tells where it does not arrive
    throw error;
  }
  if (told.status === NEEDS_SIGNAL) return { ...told, isUnable: true };
  if (told.operations.length) document.dispatchEvent(new CustomEvent("phone:noted", { detail: request }));
  return follow(told, request);
}

async function settle(told, request, label, tap) {
  if (told.operations?.length) await keep(told.operations, { label: readSaid(told.body) || label, path: request.path, owner: engine.status.owner }, tap);
  else await dropTap(tap);
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
  while (taps.length) {
    const { number, request, label, owner } = taps[0];
    const about = { label, path: request.path, owner };
    // Somebody else's ride cannot judge it.
    if (!isOf(taps[0], (await engine.readOwner()).member)) await keepUnsendable(about, message, number);
    else {
      await engine.answer(request, async (answer) => {
        if (answer.operations?.length || answer.status < 400) return settle(answer, request, label, number);
        return keepUnsendable(about, readRefusal(answer.body) || message, number);
      });
    }
    taps.shift();
  }
}

function readRefusal(body) {
  const page = new DOMParser().parseFromString(body, "text/html");
  const lines = [...page.querySelectorAll(".error-summary li, .error-summary p")];
  return lines.map((one) => one.textContent.replace(/\s+/g, " ").trim()).join(" ");
}

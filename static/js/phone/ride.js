// The copy of the ride that the engine works on: fetched when a page opens, when what was noted has been sent, when the
// page is looked at again, and now and then. Where nothing has changed the server says only that.

import { FACT, describe, isPresent } from "./owner.js";
import { open } from "./store.js";

const ADDRESS = "/api/v1/ride";
const EVERY = 60_000;
const LIMIT = 30_000;
const KEY = "copy";

/** How it goes: "ok", "away", "signed_out". */
export const status = { how: "" };

/** Return the copy: `text` as it came, `etag`, and when it was `asked` for by this phone's clock; undefined without. */
export async function get() {
  const copy = await (await open()).get("ride", KEY);
  return copy && isPresent(copy.owner?.device) ? copy : undefined;
}

let running = null;

/** Bring the copy up to date; whether it changed is told by the event `phone:ride`. */
export function refresh() {
  running ??= fetchCopy().finally(() => { running = null; });
  return running;
}

export function keepFresh() {
  document.addEventListener("phone:sent", refresh);
  window.addEventListener("online", refresh);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
}

/** A phone that was signed out by its owner keeps what is unsent, and no names. */
export async function forget() {
  const work = (await open()).transaction(["ride", "facts"], "readwrite");
  work.objectStore("ride").delete(KEY);
  work.objectStore("facts").delete(FACT);
  await work.done;
}

async function fetchCopy() {
  const asked = Date.now();
  const before = await get();
  try {
    const answer = await fetch(ADDRESS, {
      headers: { Accept: "application/json", ...(before ? { "If-None-Match": before.etag } : {}) },
      credentials: "same-origin", redirect: "error", cache: "no-store", signal: AbortSignal.timeout(LIMIT),
    });
    if (!answer.headers.has("X-Tailgunner")) throw new Error("somebody else answered");
    if (answer.status === 304 && before) await put({ ...before, asked });
    else if (answer.ok) await take({ text: await answer.text(), etag: answer.headers.get("ETag"), asked });
    else throw new Error(String(answer.status));
    tell("ok");
  } catch (error) {
    tell(error.message === "401" ? "signed_out" : "away");
  }
}

async function take(copy) {
  await put(copy);
  document.dispatchEvent(new CustomEvent("phone:ride"));
}

async function put(copy) {
  const owner = copy.owner ?? describe(JSON.parse(copy.text)); // a half of it is none
  const work = (await open()).transaction(["ride", "facts"], "readwrite");
  work.objectStore("ride").put({ ...copy, owner }, KEY);
  work.objectStore("facts").put({ ...owner, asked: copy.asked }, FACT);
  await work.done;
}

function tell(how) {
  status.how = how;
  document.dispatchEvent(new CustomEvent("phone:network", { detail: { how } }));
}

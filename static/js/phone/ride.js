// The copy of the ride that the engine works on: fetched when a page opens, after every page that the server answered, when
// what was recorded has been sent, when the server says that something changed, when the page is looked at again, and now
// and then. Where nothing has changed the server says only that; else it sends the parts that are not the same here.
//
// The copy is never half old and half new: an answer is written in one transaction, onto the very copy it was asked for,
// and only if all parts together then have the server's digest. Else everything is fetched again.

import { noteClock } from "./clock.js";
import { FACT, isPresent } from "./owner.js";
import { fillBuckets, makeDigest, merge, readFingerprints } from "./parts.js";
import { open } from "./store.js";

const ADDRESS = "/api/v1/ride/parts";
const EVERY = 60_000;
const LIMIT = 30_000;
export const KEY = "copy";
const FORMAT = 2;

/** How it goes: "ok", "away", "signed_out". */
export const status = { how: "" };

/** Return what there is to say of the copy: its `owner`, and when it was `asked` for by this phone's clock; undefined without. */
export async function get() {
  return check(await (await open()).get("ride", KEY));
}

/** Return the copy itself as well, as `ride`, for the engine. */
export async function read() {
  const work = (await open()).transaction(["ride", "parts"]);
  const [copy, parts] = await Promise.all([work.objectStore("ride").get(KEY), work.objectStore("parts").getAll()]);
  if (!check(copy)) return undefined;
  if (copy.text) return { ...copy, ride: JSON.parse(copy.text) }; // as an older version of the app kept it
  return { ...copy, ride: { format: FORMAT, device: copy.owner.device, server_time: copy.serverTime, parts } };
}

const check = (copy) => (copy?.owner && isPresent(copy.owner.device) ? copy : undefined);

let running = null;

/** Bring the copy up to date; whether it changed is told by the event `phone:ride`. */
export function refresh() {
  running ??= fetchCopy().finally(() => { running = null; });
  return running;
}

export function keepFresh() {
  document.addEventListener("phone:sent", refresh);
  // A page of the server may show what this phone does not know yet.
  document.addEventListener("phone:page", ({ detail }) => { if (detail.isFromServer) refresh(); });
  document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
    if (xhr?.status === 200 && xhr.getResponseHeader("X-Tailgunner") && !xhr.getResponseHeader("X-Tailgunner-From")) refresh();
  });
  window.addEventListener("online", refresh);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  setInterval(() => { if (!document.hidden) refresh(); }, EVERY);
}

/** A phone that was signed out by its owner keeps what is unsent, and no names. */
export async function forget() {
  const work = (await open()).transaction(["ride", "parts", "facts"], "readwrite");
  work.objectStore("ride").delete(KEY);
  work.objectStore("parts").clear();
  work.objectStore("facts").delete(FACT);
  await work.done;
}

async function fetchCopy() {
  try {
    const before = await get();
    if (!(before?.fingerprints && await fetchChanges(before))) await fetchAll();
    tell("ok");
  } catch (error) {
    tell(error.message === "401" ? "signed_out" : "away");
  }
}

async function fetchAll() {
  const asked = Date.now();
  const told = await (await ask("GET")).json();
  const fingerprints = readFingerprints(told.parts);
  await put({ told, fingerprints, asked }, (parts) => parts.clear());
}

/** Fetch what has changed; return whether the copy is then the server's. */
async function fetchChanges(before) {
  const asked = Date.now();
  const head = await ask("HEAD", { headers: { "If-None-Match": `"${before.digest}"` } });
  if (head.status === 304) return confirm(before, asked);
  const answer = await ask("POST", {
    headers: { "Content-Type": "application/octet-stream" }, body: fillBuckets(before.fingerprints),
  });
  const told = await answer.json();
  const { after, gone } = merge(before.fingerprints, told);
  if (told.device !== before.owner.device || await makeDigest(after) !== told.digest) return false;
  return put({ told, fingerprints: after, asked }, (parts) => gone.forEach((key) => parts.delete(key)), before);
}

async function ask(method, { headers = {}, body } = {}) {
  const started = Date.now();
  const answer = await fetch(ADDRESS, {
    method, body, headers: { Accept: "application/json", ...headers },
    credentials: "same-origin", redirect: "error", cache: "no-store", signal: AbortSignal.timeout(LIMIT),
  });
  if (!answer.headers.has("X-Tailgunner")) throw new Error("somebody else answered");
  await noteClock(answer.headers.get("Date"), started);
  if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
  return answer;
}

/** Put an answer into the store, after `clean` has taken out what goes; return false if the copy is no longer `before`. */
async function put({ told, fingerprints, asked }, clean, before) {
  const work = (await open()).transaction(["ride", "parts", "facts"], "readwrite");
  const parts = work.objectStore("parts");
  if (before && (await work.objectStore("ride").get(KEY))?.digest !== before.digest) return false; // another page was faster
  clean(parts);
  for (const [key, [, content]] of Object.entries(told.parts)) parts.put(content, key);
  const { digest, owner, server_time: serverTime } = told;
  writeHead(work, { digest, fingerprints, owner, serverTime, asked });
  await work.done;
  document.dispatchEvent(new CustomEvent("phone:ride"));
  return true;
}

/** Note that the copy is still the server's; return whether it is still the copy. */
async function confirm(before, asked) {
  const work = (await open()).transaction(["ride", "parts", "facts"], "readwrite");
  const copy = await work.objectStore("ride").get(KEY);
  if (copy?.digest !== before.digest) return false;
  writeHead(work, { ...copy, asked });
  await work.done;
  return true;
}

function writeHead(work, head) {
  work.objectStore("ride").put(head, KEY);
  work.objectStore("facts").put({ ...head.owner, asked: head.asked }, FACT);
}

function tell(how) {
  status.how = how;
  document.dispatchEvent(new CustomEvent("phone:network", { detail: { how } }));
}

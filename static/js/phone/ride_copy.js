// Maintains the copy of the ride that the engine works on. The copy is refreshed when a page opens, after every page
// that the server returned, when recorded entries have been sent, when the server reports a change, when the page
// becomes visible again, and periodically. If nothing has changed, the server says only that; otherwise it sends the
// parts that differ.
//
// The copy is never half old and half new: a response is written in one transaction, onto the same copy that the
// request was based on, and only if all parts together then have the server's digest. Otherwise everything is fetched
// again.

import { Backoff } from "./backoff.js";
import { recordClockOffset } from "./clock.js";
import { contact, isReachable } from "./link.js";
import { describeMemory, MEMORY_HEADER, recordTold } from "./memory.js";
import { FACT, isCurrentDevice } from "./owner.js";
import { fillBuckets, makeDigest, merge, readFingerprints } from "./ride_parts.js";
import { useStoredFiles } from "./static_files.js";
import { open } from "./store.js";

const ADDRESS = "/api/v1/ride/parts";
const REFRESH_INTERVAL = 60_000;
const TIMEOUT = 30_000;
const backoff = new Backoff(3_000, 3_500); // milliseconds; the bar is right within 5 s
/** @type {Record<string, NetworkState>} by the status of a response. */
const REFUSALS = { 401: "signed_out", 410: "deleted" };
export const KEY = "copy";
const FORMAT = 3; // what this version of the engine can load

/** @type {{how: NetworkState}} */
export const status = { how: "" };

/** Return the copy's `owner` and when it was requested (`asked`, by this phone's clock); undefined without a copy. */
export async function getHead() {
  return checkOwner(await (await open()).get("ride", KEY));
}

/** Return the head together with the copy itself, as `ride`, for the engine. */
export async function readCopy() {
  const work = (await open()).transaction(["ride", "parts"]);
  const [found, parts] = await Promise.all([work.objectStore("ride").get(KEY), work.objectStore("parts").getAll()]);
  const copy = checkOwner(found);
  if (!copy) return undefined;
  if (copy.text) return { ...copy, ride: JSON.parse(copy.text) }; // as an older version of the app stored it
  for (const part of parts) if (part.static) part.static = await useStoredFiles(part.static);
  return { ...copy, ride: { format: FORMAT, device: copy.owner.device, server_time: copy.serverTime, parts } };
}

/** @param {RideHead | undefined} copy */
const checkOwner = (copy) => (copy?.owner && isCurrentDevice(copy.owner.device) ? copy : undefined);

/** @type {Promise<void> | null} */
let running = null;

/** Refresh the copy. If it has changed, `phone:ride` is dispatched. */
export function refresh() {
  running ??= fetchCopy().finally(() => { running = null; });
  return running;
}

/** Refresh the copy by a request made from now on: the server may have answered a running one before. */
export async function refreshAnew() {
  await running;
  return refresh();
}

export function refreshPeriodically() {
  document.addEventListener("phone:sent", refresh);
  // A page from the server may show something that this phone does not know yet.
  document.addEventListener("phone:page", ({ detail }) => { if (detail.isFromServer || detail.isFromPhone) refresh(); });
  document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
    if (xhr?.status === 200 && xhr.getResponseHeader("X-Tailgunner") && !xhr.getResponseHeader("X-Tailgunner-From")) refresh();
  });
  window.addEventListener("online", refresh);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  setInterval(() => { if (!document.hidden) refresh(); }, REFRESH_INTERVAL);
  window.addEventListener("offline", refresh);
  document.addEventListener("phone:link", planRetry);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** While the server cannot be reached and someone is looking, find out soon when it is back. */
function planRetry() {
  clearTimeout(timer);
  if (isReachable()) {
    backoff.reset();
    return;
  }
  timer = setTimeout(async () => {
    if (!document.hidden) await refresh();
    planRetry();
  }, backoff.next());
}

/** Delete the copy when the owner signs out: pending entries stay on the phone, names do not. */
export async function deleteCopy() {
  const work = (await open()).transaction(["ride", "parts", "facts"], "readwrite");
  work.objectStore("ride").delete(KEY);
  work.objectStore("parts").clear();
  work.objectStore("facts").delete(FACT);
  await work.done;
}

async function fetchCopy() {
  try {
    const before = await getHead();
    if (!(before?.fingerprints && await fetchChanges(before))) await fetchAll();
    setStatus("ok");
  } catch (error) {
    setStatus(REFUSALS[error.message] ?? "away");
  }
}

async function fetchAll() {
  const asked = Date.now();
  /** @type {PartsReply} */
  const reply = await (await request("GET")).json();
  const fingerprints = readFingerprints(reply.parts);
  await put({ reply, fingerprints, asked }, (parts) => parts.clear());
}

/**
 * Fetch the changes; return whether the copy then equals the server's.
 * @param {RideHead} before
 */
async function fetchChanges(before) {
  const asked = Date.now();
  const head = await request("HEAD", { headers: { "If-None-Match": `"${before.digest}"` } });
  if (head.status === 304) return confirm(before, asked);
  const answer = await request("POST", {
    headers: { "Content-Type": "application/octet-stream" }, body: fillBuckets(before.fingerprints),
  });
  /** @type {PartsReply} */
  const reply = await answer.json();
  const { after, gone } = merge(before.fingerprints, reply);
  if (reply.device !== before.owner.device || await makeDigest(after) !== reply.digest) return false;
  return put({ reply, fingerprints: after, asked }, (parts) => gone.forEach((key) => parts.delete(key)), before);
}

/**
 * @param {"GET" | "HEAD" | "POST"} method
 * @param {{headers?: Record<string, string>, body?: BodyInit}} [content]
 */
async function request(method, { headers = {}, body } = {}) {
  const started = Date.now();
  const answer = await contact(ADDRESS, {
    method, body, headers: { Accept: "application/json", "X-Ride-Format": String(FORMAT), [MEMORY_HEADER]: await describeMemory(), ...headers },
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (!answer.headers.has("X-Tailgunner")) throw new Error("the response is not from our server");
  await recordClockOffset(answer.headers.get("Date"), started);
  if (!answer.ok && answer.status !== 304) throw new Error(String(answer.status));
  await recordTold();
  return answer;
}

/**
 * Store a response, after `clean` has deleted the old parts; return false if the copy is no longer `before`.
 * @param {{reply: PartsReply, fingerprints: Fingerprints, asked: number}} response
 * @param {(parts: PartStore) => void} clean
 * @param {RideHead} [before]
 */
async function put({ reply, fingerprints, asked }, clean, before) {
  // An older service worker has stored older pages, which read this copy as it is.
  for (const [, content] of Object.values(reply.parts)) if (content.static) content.static = await useStoredFiles(content.static);
  const work = (await open()).transaction(["ride", "parts", "facts"], "readwrite");
  const parts = work.objectStore("parts");
  if (before && (await work.objectStore("ride").get(KEY))?.digest !== before.digest) return false; // another page was faster
  clean(parts);
  for (const [key, [, content]] of Object.entries(reply.parts)) parts.put(content, key);
  const { digest, owner, server_time: serverTime } = reply;
  writeHead(work, { digest, fingerprints, owner, serverTime, asked });
  await work.done;
  document.dispatchEvent(new CustomEvent("phone:ride"));
  return true;
}

/**
 * Record that the copy still equals the server's; return false if it has been replaced meanwhile.
 * @param {RideHead} before
 * @param {number} asked
 */
async function confirm(before, asked) {
  const work = (await open()).transaction(["ride", "parts", "facts"], "readwrite");
  const copy = await work.objectStore("ride").get(KEY);
  if (copy?.digest !== before.digest) return false;
  writeHead(work, { ...copy, asked });
  await work.done;
  return true;
}

/**
 * @param {CopyTransaction} work
 * @param {RideHead} head
 */
function writeHead(work, head) {
  work.objectStore("ride").put(head, KEY);
  work.objectStore("facts").put({ ...head.owner, asked: head.asked }, FACT);
}

/** @param {NetworkState} how */
function setStatus(how) {
  status.how = how;
  document.dispatchEvent(new CustomEvent("phone:network", { detail: { how } }));
}

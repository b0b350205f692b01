// The phone's own key pair. The private key never leaves the browser, and no script can read it. The public key is
// registered with the server once, when there is signal. Anyone can relay signed entries, but nobody can alter them.
//
// When a phone gets a new owner, it keeps its previous key for as long as entries made under it are pending. A phone that
// switches between a ride and its practice keeps the keys of both devices.

import { DEVICE_HEADER, getOwner, isOwnDevice } from "../owner.js";
import { getFact, open, SAFE, setFact } from "../store.js";
import { encodeBase64 } from "./base64.js";

const ADDRESS = "/api/v1/key";
const FACT = "key";
const LOCK = "tailgunner-key";
const KEY_ALGORITHM = { name: "ECDSA", namedCurve: "P-256" };
const SIGN_ALGORITHM = { name: "ECDSA", hash: "SHA-256" };
const TIMEOUT = 30_000;

/** @type {{how: DeviceKey["how"] | "unable"}} `how` is "unable" where the browser does not support it. */
export const status = { how: "wait" };

/** @type {Promise<void> | null} */
let running = null;

export const canSign = () => Boolean(globalThis.crypto?.subtle && globalThis.CompressionStream && navigator.locks);

export function start() {
  document.addEventListener("phone:ride", prepare);
  document.addEventListener("phone:network", () => { if (status.how === "wait") prepare(); });
  return prepare();
}

/** Make the key if there is none, and register it with the server if necessary. */
export function prepare() {
  if (!canSign()) {
    setStatus("unable");
    return Promise.resolve();
  }
  running ??= navigator.locks.request(LOCK, register).catch(() => {}).finally(() => { running = null; });
  return running;
}

/** @param {typeof status.how} how */
function setStatus(how) {
  if (status.how === how) return;
  status.how = how;
  document.dispatchEvent(new CustomEvent("phone:key"));
}

async function makeKey() {
  const owner = await getOwner();
  if (!owner) return undefined;
  const known = await getFact(FACT);
  // A copy of the ride that is older than the key may still name this phone's previous device.
  if (known && (known.device === owner.device || owner.asked < known.since)) return known;
  const former = await (await open()).get("keys", owner.device); // of before the phone switched
  const key = former ? { ...former, since: Date.now() } : await generateKey(owner.device);
  const work = (await open()).transaction(["facts", "keys"], "readwrite", SAFE);
  work.objectStore("keys").delete(owner.device);
  if (known) work.objectStore("keys").put(known);
  work.objectStore("facts").put(key, FACT);
  await work.done;
  await deleteUnneededKeys();
  return key;
}

/**
 * @param {string} device
 * @returns {Promise<DeviceKey>}
 */
async function generateKey(device) {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(KEY_ALGORITHM, false, ["sign"]);
  const encoded = encodeBase64(new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)));
  return { device, privateKey, publicKey: encoded, how: "wait", since: Date.now() };
}

async function register() {
  let key = await makeKey();
  if (key?.how === "wait") {
    key = { ...key, ...(await registerKey(key)) };
    await setFact(FACT, key);
  }
  setStatus(key?.how ?? "wait");
}

/**
 * Ask which key the server has before registering one: browsers report every refused request as an error.
 * @param {DeviceKey} key
 * @returns {Promise<Partial<DeviceKey>>} what has changed about the key.
 */
async function registerKey({ device, publicKey }) {
  try {
    const known = await callServer(device, { method: "GET" });
    if (known.public_key && known.public_key !== publicKey) return { how: "no" };
    const reply = known.public_key ? known : await callServer(device, { method: "POST", body: JSON.stringify({ public_key: publicKey }) });
    if (typeof reply.device === "string") return { device: reply.device, how: "yes", since: Date.now() };
    if (reply.error?.code === "other_key") return { how: "no" }; // registered in the meantime
  } catch (error) {
    console.info("The key is not registered yet:", error.message);
  }
  return {};
}

/**
 * @param {string} device
 * @param {RequestInit} request
 * @returns {Promise<{public_key?: string, device?: string, error?: {code: string}}>}
 */
async function callServer(device, request) {
  const response = await fetch(ADDRESS, {
    ...request,
    headers: { "Content-Type": "application/json", Accept: "application/json", [DEVICE_HEADER]: device },
    credentials: "same-origin", redirect: "error", cache: "no-store", signal: AbortSignal.timeout(TIMEOUT),
  });
  return response.json();
}

/** Return whether the server knows this phone's key, so that it can verify its signatures. */
export const isKeyKnown = async () => (await getFact(FACT))?.how === "yes";

/** Register the key again: the server may have lost it. */
export async function reregisterKey() {
  const key = await getFact(FACT);
  if (key?.how !== "yes") return;
  await setFact(FACT, { ...key, how: "wait" });
  await prepare();
}

/** @typedef {Pick<WaitingOperation, "seq" | "noted" | "body" | "owner">} SignableOperation */

/**
 * Sign operations of this phone, each with the key of the device under which it was made.
 * @param {SignableOperation[]} operations
 * @returns {Promise<(Envelope | null)[]>} null if a key is lost.
 */
export async function sign(operations) {
  const present = await navigator.locks.request(LOCK, makeKey);
  const all = [...await (await open()).getAll("keys"), await getFact(FACT) ?? []].flat();
  const keys = new Map(all.map((key) => [key.device, key]));
  return Promise.all(operations.map((operation) => {
    const key = operation.owner ? keys.get(operation.owner.device) : present;
    return key ? seal(key, operation) : null;
  }));
}

/** Retire the key when the phone is signed out: only entries that are pending may still need it. */
export async function retire() {
  const work = (await open()).transaction(["facts", "keys"], "readwrite", SAFE);
  const key = /** @type {DeviceKey | undefined} */ (await work.objectStore("facts").get(FACT));
  if (key) {
    work.objectStore("keys").put(key);
    work.objectStore("facts").delete(FACT);
  }
  await work.done;
  await deleteUnneededKeys();
}

/** Delete the keys of former devices that have no pending entries, except those of the phone's two devices. */
export async function deleteUnneededKeys() {
  const work = (await open()).transaction(["operations", "keys"], "readwrite");
  const devices = await work.objectStore("keys").getAllKeys();
  if (devices.length) { // most phones never have any, and this runs after each sending
    const waiting = await work.objectStore("operations").index("state").getAll("waiting");
    const needed = new Set(waiting.map(({ owner }) => owner?.device));
    devices.filter((device) => !needed.has(device) && !isOwnDevice(device)).forEach((device) => work.objectStore("keys").delete(device));
  }
  await work.done;
}

/**
 * @param {DeviceKey} key
 * @param {SignableOperation} operation
 * @returns {Promise<Envelope>}
 */
async function seal({ device, privateKey }, { seq, noted, body }) {
  /** @type {Claims} */
  const claims = { device, sequence: seq, noted: new Date(noted).toISOString(), operation: body };
  const text = JSON.stringify(claims);
  const signature = await crypto.subtle.sign(SIGN_ALGORITHM, privateKey, new TextEncoder().encode(text));
  return { device, operations_json: text, signature: encodeBase64(new Uint8Array(signature)) };
}

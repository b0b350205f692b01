// The phone's own key. The half that signs never leaves the browser, and no script can read it; the other half is told to
// the server once, when there is signal. What is signed can be carried by anybody and altered by nobody.
//
// A phone that becomes somebody else's keeps the key it had, for as long as notes wait that were made under it.

import { getOwner } from "../owner.js";
import { getFact, open, SAFE, setFact } from "../store.js";
import { spell } from "./base64.js";

const ADDRESS = "/api/v1/key";
const FACT = "key";
const LOCK = "tailgunner-key";
const KIND = { name: "ECDSA", namedCurve: "P-256" };
const HOW = { name: "ECDSA", hash: "SHA-256" };
const LIMIT = 30_000;

/** How it is: "wait" (not told yet), "yes", "no" (the server knows another key), "unable" (this browser makes none). */
export const status = { how: "wait" };

let running = null;

export const canSign = () => Boolean(globalThis.crypto?.subtle && globalThis.CompressionStream && navigator.locks);

export function start() {
  document.addEventListener("phone:ride", prepare);
  document.addEventListener("phone:network", () => { if (status.how === "wait") prepare(); });
  return prepare();
}

/** Make the key, if there is none, and tell it to the server, if that does not know it. */
export function prepare() {
  if (!canSign()) {
    tell("unable");
    return Promise.resolve();
  }
  running ??= navigator.locks.request(LOCK, register).catch(() => {}).finally(() => { running = null; });
  return running;
}

function tell(how) {
  if (status.how === how) return;
  status.how = how;
  document.dispatchEvent(new CustomEvent("phone:key"));
}

async function makeKey() {
  const owner = await getOwner();
  if (!owner) return undefined;
  const known = await getFact(FACT);
  // A copy of the ride that is older than the key may still name the device that this phone was before.
  if (known && (known.device === owner.device || owner.asked < known.since)) return known;
  const { privateKey, publicKey } = await crypto.subtle.generateKey(KIND, false, ["sign"]);
  const spelled = spell(new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)));
  const key = { device: owner.device, privateKey, publicKey: spelled, how: "wait", since: Date.now() };
  const work = (await open()).transaction(["facts", "keys"], "readwrite", SAFE);
  if (known) work.objectStore("keys").put(known);
  work.objectStore("facts").put(key, FACT);
  await work.done;
  await forgetKeys();
  return key;
}

async function register() {
  let key = await makeKey();
  if (key?.how === "wait") {
    key = { ...key, ...(await tellServer(key)) };
    await setFact(FACT, key);
  }
  tell(key?.how ?? "wait");
}

async function tellServer({ publicKey }) {
  try {
    const answer = await fetch(ADDRESS, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ public_key: publicKey }),
      credentials: "same-origin", redirect: "error", cache: "no-store", signal: AbortSignal.timeout(LIMIT),
    });
    const told = await answer.json();
    if (answer.ok && typeof told.device === "string") return { device: told.device, how: "yes", since: Date.now() };
    if (told.error?.code === "other_key") return { how: "no" };
  } catch (error) {
    console.info("The key is not told yet:", error.message);
  }
  return {};
}

/** Whether the server knows this phone's key, so that it can tell what this phone has signed. */
export const isKeyKnown = async () => (await getFact(FACT))?.how === "yes";

/** Tell the key once more: the server may have lost it. */
export async function registerAgain() {
  const key = await getFact(FACT);
  if (key?.how !== "yes") return;
  await setFact(FACT, { ...key, how: "wait" });
  await prepare();
}

/**
 * Sign operations of this phone, each with the key of the device that it was noted under.
 * @param {{seq: number, noted: number, body: object, owner?: object}[]} operations
 * @returns {Promise<(object|null)[]>} an envelope for each, as POST /api/v1/carried takes them; null where the key is gone.
 */
export async function sign(operations) {
  const present = await navigator.locks.request(LOCK, makeKey);
  const all = [...await (await open()).getAll("keys"), await getFact(FACT)].filter(Boolean);
  const keys = new Map(all.map((key) => [key.device, key]));
  return Promise.all(operations.map((one) => {
    const key = one.owner ? keys.get(one.owner.device) : present;
    return key ? seal(key, one) : null;
  }));
}

/** This phone is nobody's now: what it has noted may need the key it had, and nothing else does. */
export async function retire() {
  const work = (await open()).transaction(["facts", "keys"], "readwrite", SAFE);
  const key = await work.objectStore("facts").get(FACT);
  if (key) {
    work.objectStore("keys").put(key);
    work.objectStore("facts").delete(FACT);
  }
  await work.done;
  await forgetKeys();
}

/** Let go of the keys of former devices of which nothing waits any more. */
export async function forgetKeys() {
  const work = (await open()).transaction(["operations", "keys"], "readwrite");
  const devices = await work.objectStore("keys").getAllKeys();
  if (devices.length) { // on most phones there never is any, and this is asked after each sending
    const waiting = await work.objectStore("operations").index("state").getAll("waiting");
    const needed = new Set(waiting.map(({ owner }) => owner?.device));
    devices.filter((device) => !needed.has(device)).forEach((device) => work.objectStore("keys").delete(device));
  }
  await work.done;
}

async function seal({ device, privateKey }, { seq, noted, body }) {
  const said = { device, sequence: seq, noted: new Date(noted).toISOString(), operation: body };
  const text = JSON.stringify(said);
  const signature = await crypto.subtle.sign(HOW, privateKey, new TextEncoder().encode(text));
  return { device, operations_json: text, signature: spell(new Uint8Array(signature)) };
}

// The phone's own database. It belongs to the phone, not to a page, an app version or a person: signing out, revoking a
// phone and updating the app never delete entries that the server does not have.
//
// Pages of two versions of the app use it, in any order: a page that the server returned is newer than the service worker
// until someone presses "Use it now", and the pages that such a worker has stored are older. So:
// - A page opens the database in whatever format it finds. Later formats only add to earlier ones (migrations.js).
// - A page upgrades it only if the service worker is of the page's own version and no other page is open: older pages
//   could not open it any more.
// - Opening fails with a message if it takes too long, as when another page hangs. It never waits for ever.
// - A page that was left and is kept, to be shown again when its user goes back, holds nothing that others wait for:
//   WebKit freezes it with its transactions, and no other page could read the database until the app is closed.

import { openDB, unwrap } from "../../vendor/idb-8.0.4/index.js";
import { Failure } from "./failure.js";
import { FORMAT, migrate, MIGRATIONS_FILE, RELEASED_FORMAT } from "./migrations.js";

const NAME = "tailgunner";
const OPEN_TIMEOUT = 8_000; // milliseconds
const WORKER_TIMEOUT = 1_000; // for the service worker to say whether the database may be upgraded
// Entries are on disk, not just on their way there, when a transaction is complete.
export const SAFE = /** @type {const} */ ({ durability: "strict" });

/** @type {Promise<Database> | null} */
let connecting = null;
/** @type {Promise<Database> | null} */
let opening = null;
let isLeft = false; // the page is kept, but not shown
/** @type {Set<IDBTransaction>} */
const running = new Set();

/**
 * Return the database.
 * @throws {Error} it could not be opened in time, or the page was left; the next call may succeed.
 */
export function open() {
  if (isLeft) return Promise.reject(new Error("this page was left"));
  opening ??= openInTime();
  opening.catch(() => { opening = null; });
  return opening;
}

function forget() {
  connecting = null;
  opening = null;
}

addEventListener("pagehide", ({ persisted }) => {
  if (!persisted) return; // the browser ends it, and with it its transactions
  isLeft = true;
  connecting?.then((db) => db.close(), () => {});
  forget();
  running.forEach(end);
});
addEventListener("pageshow", () => { isLeft = false; });

/** @param {IDBTransaction} work */
function end(work) {
  try {
    work.abort(); // nobody was told yet that it has stored something
  } catch (error) {
    console.debug("It is being committed:", error.message);
  }
}

/**
 * Keep account of the transactions of a connection.
 * @param {Database} db
 */
function watch(db) {
  const raw = unwrap(db);
  const begin = raw.transaction.bind(raw);
  raw.transaction = (...args) => {
    const work = begin(...args);
    running.add(work);
    for (const how of ["complete", "abort"]) work.addEventListener(how, () => running.delete(work));
    return work;
  };
  return db;
}

function openInTime() {
  connecting ??= connect().then(watch);
  connecting.catch(forget);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Promise<never>} */
  const timeout = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Failure("database", "the phone’s database cannot be opened, perhaps because another window of the app hangs")), OPEN_TIMEOUT);
  });
  return Promise.race([connecting, timeout]).finally(() => clearTimeout(timer));
}

/** @returns {Promise<Database>} */
async function connect() {
  const db = await connectTo(RELEASED_FORMAT).catch((error) => {
    if (error.name !== "VersionError") throw error;
    return connectTo(); // a later version of the app was here
  });
  if (db.version >= FORMAT || !(await mayUpgrade())) return db;
  db.close();
  return connectTo(FORMAT);
}

/**
 * @param {number} [format] the present one if it is left out.
 * @returns {Promise<Database>}
 */
const connectTo = (format) => openDB(NAME, format, {
  upgrade: (db, from, to) => migrate(db, from, to ?? FORMAT),
  blocked: () => console.info("Another window still uses the phone’s database in an older format."),
  // Another page wants to upgrade the format: it must not wait for this one.
  blocking: (_now, _wanted, event) => {
    /** @type {IDBDatabase} */ (event.target).close();
    forget();
  },
  terminated: forget,
});

/** Return whether the service worker is of this page's version, and no other page is open. */
async function mayUpgrade() {
  const worker = (await navigator.serviceWorker?.getRegistration())?.active;
  if (!worker) return false;
  const { port1, port2 } = new MessageChannel();
  /** @type {Promise<boolean>} */
  const answer = new Promise((resolve) => {
    setTimeout(resolve, WORKER_TIMEOUT, false); // version 1.0.0 does not answer
    port1.onmessage = ({ data }) => resolve(data?.may === true);
  });
  worker.postMessage(/** @satisfies {MessageToServiceWorker} */ ({ ask: "may-upgrade", file: MIGRATIONS_FILE }), [port2]);
  return answer.finally(() => port1.close());
}

/**
 * Return a fact; undefined if it is not known.
 * @template {keyof Facts} N
 * @param {N} name
 */
export const getFact = async (name) => /** @type {Facts[N] | undefined} */ (await (await open()).get("facts", name));

/**
 * Store a fact.
 * @template {keyof Facts} N
 * @param {N} name
 * @param {Facts[N]} value
 */
export const setFact = async (name, value) => (await open()).put("facts", value, name);

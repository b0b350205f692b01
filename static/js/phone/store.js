// The phone's own database. It belongs to the phone, not to a page, an app version or a person: signing out, revoking a
// phone and updating the app never delete entries that the server does not have.

import { openDB } from "../../vendor/idb-8.0.4/index.js";
import { FORMAT, migrate } from "./migrations.js";

const NAME = "tailgunner";
// Entries are on disk, not just on their way there, when a transaction is complete.
export const SAFE = /** @type {const} */ ({ durability: "strict" });

/** @type {Promise<Database> | null} */
let opening = null;

export function open() {
  opening ??= openDB(NAME, FORMAT, {
    upgrade: (db, from) => migrate(db, from),
    // A newer page wants to upgrade the format: it must not wait for this one.
    blocking: (_now, _wanted, event) => {
      /** @type {IDBDatabase} */ (event.target).close();
      opening = null;
    },
    terminated: () => { opening = null; },
  });
  opening.catch(() => { opening = null; });
  return opening;
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

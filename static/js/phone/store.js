// The phone's own database. It belongs to the phone, not to a page, a version or a person: no sign-out, revocation or
// update takes anything out of it that the server does not have.

import { openDB } from "../../vendor/idb-8.0.4/index.js";
import { FORMAT, migrate } from "./changes.js";

const NAME = "tailgunner";
// What was noted is on the disk, not on its way there, when a transaction is done.
export const SAFE = { durability: "strict" };

let opening = null;

export function open() {
  opening ??= openDB(NAME, FORMAT, {
    upgrade: (db, from) => migrate(db, from),
    // A newer page wants to change the format: it must not wait for this one.
    blocking: (_now, _wanted, event) => {
      event.target.close();
      opening = null;
    },
    terminated: () => { opening = null; },
  });
  opening.catch(() => { opening = null; });
  return opening;
}

export const getFact = async (name) => (await open()).get("facts", name);
export const setFact = async (name, value) => (await open()).put("facts", value, name);

// The migrations of the phone's database. Each step upgrades the format before it. Steps are added, never changed: a
// phone somewhere may still have the previous format and a full queue. No step deletes data.
//
// Pages and service workers of an older version read what a newer one has written, so a step only adds stores and
// indexes: it changes and removes none, and adds no index that old rows do not fit. What can be a new field or a new fact
// needs no step. Pages of version 1.0.0 open no other format than RELEASED_FORMAT; that is why store.js takes a step
// beyond it only when none of them can be open any more. Until then the page works without it: whatever uses a later store
// first asks whether it is there (`db.objectStoreNames.contains`).
//
// The stores (their names and fields are data):
// - operations: the entries made on this phone, under its own running number (`seq`). `state` is waiting, sent,
//   attention or aside. `owner` is the crew member to whom the phone belonged then; older entries lack it. `device` is
//   the device id under which the entry was acknowledged. `former` contains receipts from before the server was
//   restored from a backup.
// - ride: the head of the copy of the ride, under "copy". parts: the copy itself, by the keys of its parts.
// - drafts: half-entered turns, by their page.
// - facts: small values, by name.
// - taps: forms that were sent before the engine could handle them.
// - carried: entries that other phones made and signed, and that this phone relays.
// - keys: the keys of the devices that this phone was before, for as long as entries of theirs are pending.

/** @type {((db: Database) => void)[]} */
const STEPS = [
  (db) => {
    const operations = db.createObjectStore("operations", { keyPath: "seq", autoIncrement: true });
    operations.createIndex("id", "id", { unique: true });
    operations.createIndex("state", "state");
    db.createObjectStore("ride");
    db.createObjectStore("drafts", { keyPath: "place" });
    db.createObjectStore("facts");
  },
  (db) => { db.createObjectStore("taps", { keyPath: "number", autoIncrement: true }); },
  (db) => { db.createObjectStore("carried", { keyPath: ["device", "operations_json"] }); },
  (db) => { db.createObjectStore("keys", { keyPath: "device" }); },
  (db) => { db.createObjectStore("parts"); },
];

/** The URL of this very file, with the hash of its content: whoever has stored it knows these steps. */
export const MIGRATIONS_FILE = new URL(import.meta.url).pathname;
export const RELEASED_FORMAT = 5;
export const FORMAT = STEPS.length;

/**
 * Upgrade a database.
 * @param {Database} db
 * @param {number} from its format; 0 if it is new.
 * @param {number} to the format that it gets.
 */
export function migrate(db, from, to) {
  for (const step of STEPS.slice(from, to)) step(db);
}

// The formats that the phone's database has had: each is the step from the one before. Steps are added, never changed,
// for somewhere a phone is still at the one before with a full queue. No step takes anything out.
//
// operations: what was noted, under the phone's own running number (`seq`); `state` is waiting, sent, attention or aside,
// and `owner` is whose phone it was then, which those that were kept before there was such a thing do not tell. `device` is
// the one that it was acknowledged under, `former` are receipts of before the server was restored from a backup.
// ride: what there is to say of the copy of the ride, under "copy"; parts: the copy itself, by the keys of its parts. drafts:
// turns that are half entered, by their page. facts: small things, by name. taps: forms that were sent before the engine
// could judge them. carried: what other phones have noted and signed. keys: of devices that this phone was before, while
// notes of them wait.

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

export const FORMAT = STEPS.length;

export function migrate(db, from) {
  for (const step of STEPS.slice(from)) step(db);
}

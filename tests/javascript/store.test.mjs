import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { page } from "./browser.mjs";
import { deleteDB, openDB } from "../../static/vendor/idb-8.0.4/index.js";
import { FORMAT, migrate, RELEASED_FORMAT } from "../../static/js/phone/migrations.js";
import { open } from "../../static/js/phone/store.js";

const NAME = "tailgunner";

beforeEach(() => deleteDB(NAME)); // a page closes its connection then

test("a format of a later version of the app is opened as it is", async () => {
  const later = await openDB(NAME, FORMAT + 3, { upgrade: (db, from) => { migrate(db, from, FORMAT); db.createObjectStore("later"); } });
  later.close();
  const db = await open();
  assert.equal(db.version, FORMAT + 3);
  assert.ok(db.objectStoreNames.contains("operations"));
});

test("a page whose database is upgraded by another goes on with the new format", async () => {
  await open();
  const later = await openDB(NAME, FORMAT + 1, { upgrade: (db) => { db.createObjectStore("later"); } });
  later.close();
  assert.equal((await open()).version, FORMAT + 1);
});

test("without a service worker of its own version, a page does not go beyond the released format", async () => {
  assert.equal((await open()).version, RELEASED_FORMAT);
});

test("a database that another page holds is given up after a while, and opened once it is free", async () => {
  const holder = await openDB(NAME, 1); // an older format, and it does not close when it is asked to
  mock.timers.enable({ apis: ["setTimeout"] });
  const opening = open();
  mock.timers.tick(10_000);
  await assert.rejects(opening, /cannot be opened/);
  mock.timers.reset();
  holder.close();
  assert.equal((await open()).version, RELEASED_FORMAT);
});

test("a page that is left and kept gives the database back, and reads it again once it is shown", async () => {
  const db = await open();
  const work = db.transaction("facts");
  const given = [work.store.getAll(), work.done, db.put("facts", 1, "unsent")].map((asked) => assert.rejects(asked, { name: "AbortError" }));

  page.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: true }));

  await Promise.all(given);
  await assert.rejects(open(), /was left/);
  page.dispatchEvent(new Event("pageshow"));
  assert.deepEqual(await (await open()).getAll("facts"), []);
});

test("a page that is left for good goes on with what it stores", async () => {
  const storing = (await open()).put("facts", 1, "unsent");

  page.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: false }));

  await storing;
  assert.deepEqual(await (await open()).getAll("facts"), [1]);
});

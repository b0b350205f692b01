import assert from "node:assert/strict";
import { mock, test } from "node:test";

import "./browser.mjs";

mock.timers.enable({ apis: ["Date"] });

/** Load the module as a page of its own does: a page that died knows nothing of it. */
const openPage = (number) => import(`../../static/js/phone/start_guard.js?page=${number}`);
const never = () => new Promise(() => {});

test("an engine that took pages down twice is not started for ten minutes", async () => {
  for (const number of [1, 2]) (await openPage(number)).guard(never);
  const { guard } = await openPage(3);

  await assert.rejects(guard(async () => assert.fail("it was started")), /closed this page twice/);

  mock.timers.tick(10 * 60_000);
  assert.equal(await guard(async () => "started"), "started");
});

test("a page that survives the start, or is left by its user, does not count", async () => {
  for (const number of [4, 5, 6]) {
    const { guard, forget } = await openPage(number);
    assert.equal(await guard(async () => "started"), "started");
    await assert.rejects(guard(async () => { throw new Error("a file is missing"); }), /a file is missing/);
    guard(never);
    forget();
  }
});

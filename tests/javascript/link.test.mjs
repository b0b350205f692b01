import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import "./browser.mjs";
import { contact, link } from "../../static/js/phone/link.js";

mock.timers.enable({ apis: ["setTimeout"] });

/** Let every request get this response. */
const respond = (status, headers = {}) => { globalThis.fetch = async () => ({ status, headers: new Headers(headers) }); };

beforeEach(() => { link.how = ""; });

for (const [what, status, headers, how] of [
  ["our server", 200, { "X-Tailgunner": "1" }, "ok"],
  ["our server, which refuses", 401, { "X-Tailgunner": "1" }, "ok"],
  ["our server, which fails", 500, { "X-Tailgunner": "1" }, "ok"],
  ["a login page", 200, {}, "portal"],
  ["a redirect to a login page, of which a script sees nothing", 0, {}, "portal"],
  ["a network that says that one has to log in", 511, {}, "portal"],
  ["a proxy without its server", 502, {}, "away"],
]) {
  test(`a response of ${what} means "${how}"`, async () => {
    respond(status, headers);
    await contact("/", {});
    assert.equal(link.how, how);
  });
}

test("without a response the server is away, whatever was there before", async () => {
  link.how = "portal";
  globalThis.fetch = async () => { throw new TypeError("failed to fetch"); };
  await assert.rejects(contact("/", {}));
  assert.equal(link.how, "away");
});

test("a server that has not responded after three seconds is slow, until it does", async () => {
  let finish = () => {};
  globalThis.fetch = () => new Promise((resolve) => { finish = resolve; });
  const answer = contact("/", {});
  mock.timers.tick(2_999);
  assert.equal(link.how, "");
  mock.timers.tick(1);
  assert.equal(link.how, "slow");
  finish({ status: 200, headers: new Headers({ "X-Tailgunner": "1" }) });
  await answer;
  assert.equal(link.how, "ok");
});

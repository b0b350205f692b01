import assert from "node:assert/strict";
import { test } from "node:test";

import { sendBisecting, throwIfFailed, throwIfRefused, Unsendable } from "../../static/js/phone/batches.js";

const REFUSAL = { code: "invalid", message: "No." };

/** A server that refuses some entries and fails on others; it records what it accepted, in order. */
class Server {
  requests = 0;
  accepted = [];
  refused = [];

  constructor({ refuses = [], fails = [], down = Infinity } = {}) {
    Object.assign(this, { refuses, fails, down });
  }

  send = async (part) => {
    this.requests += 1;
    if (this.requests > this.down) throw new TypeError("no network");
    if (part.some((entry) => this.refuses.includes(entry))) throw new Unsendable(REFUSAL);
    if (part.some((entry) => this.fails.includes(entry))) throw new Unsendable();
    this.accepted.push(...part);
  };

  refuse = async (entry, problem) => { this.refused.push([entry, problem]); };

  deliver = (batch) => sendBisecting(batch, this.send, this.refuse);
}

const range = (count) => Array.from({ length: count }, (_, index) => index);

test("a batch that the server accepts is one request", async () => {
  const server = new Server();
  assert.deepEqual(await server.deliver(range(100)), []);
  assert.deepEqual([server.requests, server.accepted], [1, range(100)]);
});

test("an entry that is refused does not stop the others, which arrive in order", async () => {
  for (const bad of [0, 49, 50, 99]) {
    const server = new Server({ refuses: [bad] });
    assert.deepEqual(await server.deliver(range(100)), []);
    assert.deepEqual(server.accepted, range(100).filter((entry) => entry !== bad));
    assert.deepEqual(server.refused, [[bad, REFUSAL]]);
    assert.ok(server.requests <= 15, `${server.requests} requests`); // two for each halving of 100
  }
});

test("entries on which the server fails are returned, if it accepts others", async () => {
  const server = new Server({ fails: [3, 4] });
  assert.deepEqual(await server.deliver(range(10)), [3, 4]);
  assert.deepEqual(server.accepted, [0, 1, 2, 5, 6, 7, 8, 9]);
});

test("if the server fails on everything, no entry is to blame", async () => {
  const server = new Server({ fails: range(10) });
  assert.deepEqual(await server.deliver(range(10)), []);
});

test("a single entry on which the server fails is to blame", async () => {
  assert.deepEqual(await new Server({ fails: [7] }).deliver([7]), [7]);
});

test("a server that fails on everything is not asked about each of a hundred entries", async () => {
  const server = new Server({ fails: range(100) });
  await assert.rejects(server.deliver(range(100)), { message: "the server fails on everything" });
  assert.ok(server.requests < 50, `${server.requests} requests`);
});

test("without a network it stops, and what was accepted before stays accepted", async () => {
  const server = new Server({ refuses: [9], down: 2 });
  await assert.rejects(server.deliver(range(10)), { message: "no network" });
  assert.deepEqual([server.requests, server.accepted], [3, range(5)]);
});

test("only our own server's failures are about entries", () => {
  const ours = { "X-Tailgunner": "1" };
  const answer = (status, headers) => () => throwIfFailed(new Response("", { status, headers }));
  assert.throws(answer(500, ours), Unsendable);
  assert.doesNotThrow(answer(500, {})); // a proxy's
  for (const status of [502, 503, 504]) assert.doesNotThrow(answer(status, ours));
  assert.doesNotThrow(answer(404, ours));
});

test("a refusal carries the server's reason, however little it says", () => {
  const refusal = (status, reply) => {
    try {
      throwIfRefused(status, reply);
    } catch (error) {
      assert.ok(error instanceof Unsendable);
      return error.problem;
    }
    return undefined;
  };
  assert.deepEqual(refusal(422, { error: REFUSAL }), REFUSAL);
  for (const reply of [null, {}, { error: {} }]) assert.deepEqual(refusal(413, reply), { code: "refused", message: "" });
  for (const status of [200, 401, 403, 409, 410, 500]) assert.equal(refusal(status, { error: REFUSAL }), undefined);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { decodeBase64, encodeBase64 } from "../../static/js/phone/swap/base64.js";
import { InvalidBundle, makeFile, pack, readFile, unpack } from "../../static/js/phone/swap/bundle.js";

const CONTENT = {
  names: { "device-1": "Zoë “Cash $&” O’Brien", "device-2": "" },
  envelopes: [{ device: "device-1", operations_json: '{"a": "ö"}', signature: "c2ln" }],
};
const compress = (content) => Uint8Array.from(deflateRawSync(JSON.stringify(content)));

test("a bundle contains what was packed", async () => {
  assert.deepEqual(await unpack(await pack(CONTENT)), CONTENT);
});

test("a bundle is compressed", async () => {
  const envelopes = Array.from({ length: 100 }, () => CONTENT.envelopes[0]);
  assert.ok((await pack({ names: {}, envelopes })).length < 500);
});

test("what is no bundle of this format is refused with a reason", async () => {
  const bad = {
    "no bytes": new Uint8Array(),
    "other bytes": Uint8Array.from([1, 2, 3, 255]),
    "no JSON": Uint8Array.from(deflateRawSync("{")),
    "a later format": compress({ format: 2, ...CONTENT }),
    "no names": compress({ format: 1, envelopes: [] }),
    "no list": compress({ format: 1, names: {}, envelopes: {} }),
    null: compress(null),
  };
  for (const [name, bytes] of Object.entries(bad)) await assert.rejects(unpack(bytes), InvalidBundle, name);
  const whole = await pack(CONTENT);
  await assert.rejects(unpack(whole.slice(0, -5)), InvalidBundle);
});

test("a small bundle that unpacks to more than a phone has memory for is refused", async () => {
  const bomb = Uint8Array.from(deflateRawSync(Buffer.alloc(20_000_001, " ")));
  assert.ok(bomb.length < 25_000);
  await assert.rejects(unpack(bomb), { name: "Error", message: "it is too large" });
});

test("a file contains the same bytes, whatever mail programs do to its lines", async () => {
  const bytes = await pack(CONTENT);
  const file = makeFile(bytes, "tailgunner-ann.txt");
  assert.deepEqual([file.name, file.type], ["tailgunner-ann.txt", "text/plain"]);
  assert.deepEqual(await readFile(file), bytes);
  const text = await file.text();
  assert.match(text, /^Tailgunner notes 1\n[\w-]+\n$/);
  assert.deepEqual(await readFile(new Blob([`\ufeff${text.replaceAll("\n", " \r\n")}`])), bytes);
});

test("another file is refused", async () => {
  for (const text of ["", "Dear Ann,\nsee you.", "Tailgunner notes 1\n***"]) await assert.rejects(readFile(new Blob([text])), InvalidBundle, text);
});

test("base64url has no padding and needs no escaping in an address", () => {
  for (const length of [0, 1, 2, 3, 255, 8_191, 8_192, 8_193, 100_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7 + 251) & 255);
    const text = encodeBase64(bytes);
    assert.equal(text, Buffer.from(bytes).toString("base64url"));
    assert.deepEqual(decodeBase64(text), bytes);
  }
});

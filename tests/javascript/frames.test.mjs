import assert from "node:assert/strict";
import { test } from "node:test";

import { Assembler, split } from "../../static/js/phone/swap/frames.js";

const PIECE = 620; // bytes of the content in a frame

/** Return bytes that differ from frame to frame. */
const makeBytes = (length, seed = 1) => Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) * 7 + seed) & 255);

/** Scan frames; return the assembler. */
function scan(frames, assembler = new Assembler()) {
  for (const frame of frames) assert.equal(assembler.add([...frame]), true);
  return assembler;
}

test("bytes of any length come back, in one frame more than needed never", async () => {
  for (const length of [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 10_000]) {
    const bytes = makeBytes(length);
    const frames = await split(bytes);
    assert.equal(frames.length, Math.max(1, Math.ceil(length / PIECE)));
    assert.ok(frames.every((frame) => frame.length <= PIECE + 11));
    assert.deepEqual(await scan(frames).join(), bytes);
  }
});

test("frames may be scanned in any order, and more than once", async () => {
  const bytes = makeBytes(5 * PIECE + 3);
  const frames = await split(bytes);
  const assembler = scan([5, 2, 2, 0, 4, 5, 1].map((place) => frames[place]));
  assert.deepEqual([assembler.have, assembler.total, assembler.isWhole], [5, 6, false]);
  scan([frames[3]], assembler);
  assert.equal(assembler.isWhole, true);
  assert.deepEqual(await assembler.join(), bytes);
});

test("nothing is whole before the first frame", () => {
  assert.deepEqual(new Assembler().isWhole, false);
});

test("what is no frame of ours is ignored", async () => {
  const [frame] = await split(makeBytes(10));
  const assembler = new Assembler();
  const change = (place, value) => frame.map((byte, index) => (index === place ? value : byte));
  const strangers = {
    "an empty code": [],
    "a web address": new TextEncoder().encode("https://example.org/"),
    "a frame of a later format": change(2, 2),
    "a frame that is cut off in its head": frame.subarray(0, 10),
    "a frame of none": change(10, 0),
    "a frame after the last": change(8, 1),
  };
  for (const [name, data] of Object.entries(strangers)) assert.equal(assembler.add(data), false, name);
  assert.equal(assembler.total, 0);
});

test("a damaged piece is noticed, and everything is scanned again", async () => {
  const bytes = makeBytes(2 * PIECE);
  const frames = await split(bytes);
  const damaged = frames[1].map((byte, index) => (index === 100 ? byte ^ 1 : byte));
  const assembler = scan([frames[0], damaged]);
  assert.equal(assembler.isWhole, true);
  assert.equal(await assembler.join(), null);
  assert.deepEqual([assembler.have, assembler.isWhole], [0, false]);
  assert.deepEqual(await scan(frames, assembler).join(), bytes);
});

test("the bundle that was scanned last replaces any other", async () => {
  const [first, second] = [await split(makeBytes(2 * PIECE, 1)), await split(makeBytes(2 * PIECE, 2))];
  const assembler = scan([first[0], second[0]]);
  assert.deepEqual([assembler.have, assembler.total], [1, 2]);
  assert.deepEqual(await scan([second[1]], assembler).join(), makeBytes(2 * PIECE, 2));
});

test("a frame that counts the pieces otherwise begins anew", async () => {
  const frames = await split(makeBytes(3 * PIECE));
  const misread = frames[0].map((byte, index) => (index === 10 ? 2 : byte));
  const assembler = scan([frames[1], misread]);
  assert.deepEqual([assembler.have, assembler.total], [1, 2]);
  assert.deepEqual(await scan(frames, assembler).join(), makeBytes(3 * PIECE));
});

test("more than 300 pieces are numbered with two bytes", async () => {
  const bytes = makeBytes(300 * PIECE);
  assert.deepEqual(await scan((await split(bytes)).reverse()).join(), bytes);
});

test("what has more pieces than two bytes can count is refused", async () => {
  await assert.rejects(split(new Uint8Array(0xffff * PIECE + 1)), RangeError);
});

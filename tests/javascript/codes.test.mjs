import assert from "node:assert/strict";
import { before, test } from "node:test";

import "./browser.mjs";
import { makeByteDecoder, makeTextReader } from "../../static/js/phone/code_reader.js";
import { draw } from "../../static/js/phone/swap/codes.js";
import { split } from "../../static/js/phone/swap/frames.js";

/** A canvas of grey pixels: enough of one for squares in black and white. */
class Canvas {
  width = 0;
  height = 0;
  fillStyle = "";

  getContext() {
    this.data = new Uint8ClampedArray(4 * this.width * this.height);
    return this;
  }

  fillRect(left, top, width, height) {
    const grey = this.fillStyle === "#000" ? 0 : 255;
    for (let y = top; y < top + height; y += 1) {
      for (let x = left; x < left + width; x += 1) this.data.set([grey, grey, grey, 255], 4 * (y * this.width + x));
    }
  }
}

function drawFrame(frame) {
  const canvas = new Canvas();
  draw(canvas, frame);
  return canvas;
}

/** A picture of a canvas: `locate` says which of its points is seen at a point of the picture. */
function photograph(canvas, width, height, locate) {
  const picture = Object.assign(new Canvas(), { width, height });
  picture.getContext();
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [column, row] = locate(x, y).map(Math.round);
      const isOnIt = column >= 0 && row >= 0 && column < canvas.width && row < canvas.height;
      const grey = isOnIt ? canvas.data[4 * (row * canvas.width + column)] : 128;
      picture.data.set([grey, grey, grey, 255], 4 * (y * width + x));
    }
  }
  return picture;
}

let decode;

before(async () => { decode = await makeByteDecoder(); });

test("the decoder reads a full frame of any bytes from the picture of its code", async () => {
  const bytes = Uint8Array.from({ length: 620 }, (_, index) => (index * 37) & 255);
  const [frame] = await split(bytes);
  const canvas = drawFrame(frame);
  assert.deepEqual([canvas.width, canvas.height], [744, 744]); // 85 modules and a border of 4 on each side, of 8 pixels
  assert.deepEqual([...decode(canvas)], [...frame]);
});

test("a spot of dirt does not matter", async () => {
  const [frame] = await split(Uint8Array.from({ length: 620 }, (_, index) => index & 255));
  const canvas = drawFrame(frame);
  canvas.fillStyle = "#000";
  canvas.fillRect(400, 400, 64, 64);
  assert.deepEqual([...decode(canvas)], [...frame]);
});

test("a code of which too much is covered is not read at all, rather than wrongly", async () => {
  const [frame] = await split(Uint8Array.from({ length: 620 }, (_, index) => index & 255));
  const canvas = drawFrame(frame);
  canvas.fillStyle = "#000";
  canvas.fillRect(200, 200, 400, 400);
  assert.equal(decode(canvas), null);
});

test("a picture without a code has none", () => {
  const canvas = Object.assign(new Canvas(), { width: 100, height: 100 });
  canvas.getContext().fillRect(0, 0, 100, 100);
  assert.equal(decode(canvas), null);
});

test("a code that is turned, and seen at an angle, is read", async () => {
  const [frame] = await split(Uint8Array.from({ length: 620 }, (_, index) => (index * 91) & 255));
  const canvas = drawFrame(frame);
  const seen = photograph(canvas, 1000, 1000, (x, y) => {
    const [left, top] = [x - 500, y - 500];
    const depth = 1 + top / 8000;
    const [across, down] = [(left * depth) / 1.05, (top * depth) / 1.05];
    return [372 + across * Math.cos(0.4) + down * Math.sin(0.4), 372 - across * Math.sin(0.4) + down * Math.cos(0.4)];
  });
  assert.deepEqual([...decode(seen)], [...frame]);
});

test("the browser's own detector reads texts, and the library takes over if it fails", async () => {
  const results = [[{ rawValue: "a code" }], []];
  let failures = 0;
  globalThis.BarcodeDetector = class {
    static getSupportedFormats() { return Promise.resolve(["ean_13", "qr_code"]); }

    detect() {
      if (results.length) return Promise.resolve(results.shift());
      failures += 1;
      return Promise.reject(new Error("not available"));
    }
  };
  const [frame] = await split(Uint8Array.from({ length: 620 }, (_, index) => index & 63));
  const shown = drawFrame(frame);
  const video = { videoWidth: shown.width, videoHeight: shown.height };
  document.createElement = () => ({ getContext: () => ({ drawImage() {}, getImageData: () => shown }) });
  try {
    const read = await makeTextReader();
    assert.deepEqual(await read(video), ["a code"]);
    assert.deepEqual(await read(video), []);
    assert.equal((await read(video)).length, 1);
    assert.equal((await read(video)).length, 1);
    assert.equal(failures, 1);
  } finally {
    delete globalThis.BarcodeDetector;
    delete document.createElement;
  }
});

test("without a detector of such codes the library reads them", async () => {
  globalThis.BarcodeDetector = class { static getSupportedFormats() { return Promise.resolve(["ean_13"]); } };
  const blank = Object.assign(new Canvas(), { width: 100, height: 100 });
  blank.getContext().fillRect(0, 0, 100, 100);
  document.createElement = () => ({ getContext: () => ({ drawImage() {}, getImageData: () => blank }) });
  try {
    const read = await makeTextReader();
    assert.deepEqual(await read({ videoWidth: 100, videoHeight: 100 }), []);
  } finally {
    delete globalThis.BarcodeDetector;
    delete document.createElement;
  }
});

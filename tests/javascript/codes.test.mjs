import assert from "node:assert/strict";
import { before, test } from "node:test";

import "./browser.mjs";
import { decode, draw } from "../../static/js/phone/swap/codes.js";
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

before(() => import("../../static/vendor/jsqr-1.4.0/jsQR.js"));

test("the decoder reads a full frame of any bytes from the picture of its code", async () => {
  const bytes = Uint8Array.from({ length: 620 }, (_, index) => (index * 37) & 255);
  const [frame] = await split(bytes);
  const canvas = drawFrame(frame);
  assert.deepEqual([canvas.width, canvas.height], [744, 744]); // 85 modules and a border of 4 on each side, of 8 pixels
  assert.deepEqual(decode(canvas), [...frame]);
});

test("a spot of dirt does not matter", async () => {
  const [frame] = await split(Uint8Array.from({ length: 620 }, (_, index) => index & 255));
  const canvas = drawFrame(frame);
  canvas.fillStyle = "#000";
  canvas.fillRect(400, 400, 64, 64);
  assert.deepEqual(decode(canvas), [...frame]);
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

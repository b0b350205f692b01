// Codes on a screen, and a camera that looks at them.

import { qrcode } from "../../../vendor/qrcode-generator-2.0.4/index.js";

const SIZE = 17; // the version of the code: 85 modules, 644 bytes at level L; the screens of both phones are whole
const BORDER = 4;
const MODULE = 8; // pixels of the drawing, which the page scales
const EVERY = 350; // milliseconds a code stands: under three a second
const LOOK_EVERY = 60;
const WIDEST = 1000; // pixels: the modules are small

/** Draw a frame on a canvas. */
export function draw(canvas, frame) {
  const code = qrcode(SIZE, "L");
  code.addData(String.fromCharCode(...frame), "Byte");
  code.make();
  const count = code.getModuleCount();
  canvas.width = canvas.height = (count + 2 * BORDER) * MODULE;
  const drawing = canvas.getContext("2d");
  drawing.fillStyle = "#fff";
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.fillStyle = "#000";
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) drawing.fillRect((column + BORDER) * MODULE, (row + BORDER) * MODULE, MODULE, MODULE);
    }
  }
}

/** Show frames round and round until `isOn` says no; `tell` is given the place of each. */
export async function showRound(canvas, frames, isOn, tell) {
  const awake = await navigator.wakeLock?.request("screen").catch(() => null);
  for (let place = 0; isOn(); place = (place + 1) % frames.length) {
    draw(canvas, frames[place]);
    tell(place);
    await pause(EVERY);
  }
  await awake?.release();
}

/** Look with the camera until `isOn` says no; `take` is given the bytes of each code. */
export async function look(video, decoder, isOn, take) {
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1920 } } });
  try {
    await import(decoder);
    await video.play();
    const canvas = document.createElement("canvas");
    while (isOn()) {
      if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth) {
        const found = decode(takePicture(video, canvas));
        if (found) await take(found);
      }
      await pause(LOOK_EVERY);
    }
  } finally {
    video.srcObject?.getTracks().forEach((track) => track.stop());
    video.srcObject = null;
  }
}

/** Return the bytes of the code in a picture, or null. */
export const decode = ({ data, width, height }) => window.jsQR(data, width, height, { inversionAttempts: "dontInvert" })?.binaryData ?? null;

function takePicture(video, canvas) {
  const scale = Math.min(1, WIDEST / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}

const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

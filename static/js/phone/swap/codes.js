// Shows a series of QR codes on the screen, and scans them with the camera.

import { qrcode } from "../../../vendor/qrcode-generator-2.0.4/index.js";
import { makeByteReader } from "../code_reader.js";

const SIZE = 17; // the QR version: 85 modules, 644 bytes at level L, enough for the undamaged code on a screen
const BORDER = 4;
const MODULE = 8; // pixels in the canvas, which the page scales
const FRAME_INTERVAL = 350; // milliseconds per code: just under three a second
const SCAN_INTERVAL = 60;

/**
 * Draw a frame on a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {Uint8Array} frame
 */
export function draw(canvas, frame) {
  const code = qrcode(SIZE, "L");
  code.addData(String.fromCharCode(...frame), "Byte");
  code.make();
  const count = code.getModuleCount();
  canvas.width = canvas.height = (count + 2 * BORDER) * MODULE;
  const drawing = getContext(canvas);
  drawing.fillStyle = "#fff";
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.fillStyle = "#000";
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) drawing.fillRect((column + BORDER) * MODULE, (row + BORDER) * MODULE, MODULE, MODULE);
    }
  }
}

/**
 * Show frames in a loop.
 * @param {HTMLCanvasElement} canvas
 * @param {Uint8Array[]} frames
 * @param {() => boolean} isActive whether to go on.
 * @param {(place: number) => void} onFrame receives the index of each.
 */
export async function showFrames(canvas, frames, isActive, onFrame) {
  const awake = await navigator.wakeLock?.request("screen").catch(() => null);
  try {
    for (let place = 0; isActive(); place = (place + 1) % frames.length) {
      draw(canvas, frames[place]);
      onFrame(place);
      await pause(FRAME_INTERVAL);
    }
  } finally {
    await awake?.release();
  }
}

/**
 * Scan with the camera.
 * @param {HTMLVideoElement} video
 * @param {() => boolean} isActive whether to go on.
 * @param {(data: Uint8Array) => Promise<void>} onCode receives the bytes of each code.
 */
export async function scanCodes(video, isActive, onCode) {
  const camera = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1920 } } });
  video.srcObject = camera;
  try {
    const read = await makeByteReader();
    await video.play();
    while (isActive()) {
      if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth) {
        const found = read(video);
        if (found) await onCode(found);
      }
      await pause(SCAN_INTERVAL);
    }
  } finally {
    camera.getTracks().forEach((track) => track.stop());
    video.srcObject = null;
  }
}

/** @param {HTMLCanvasElement} canvas */
function getContext(canvas) {
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  return context;
}

/** @param {number} time in milliseconds. */
const pause = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

// Reads QR codes from what a camera shows: with the browser's own detector where it has one, else with a library.
// A detector returns text only, so codes of other bytes are always read by the library.

const FORMAT = "qr_code";
const MAX_WIDTH = 1000; // pixels: larger pictures only take the library longer

/** @typedef {Pick<ImageData, "data" | "width" | "height">} Picture */
/** @typedef {(picture: Picture) => string | null} Decode */

/** @param {Uint8Array} bytes */
const readText = (bytes) => new TextDecoder().decode(bytes);

// A letter for each byte.
/** @param {Uint8Array} bytes */
const readLetters = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/**
 * Return a function that returns the texts of the codes that a video shows at the moment.
 * @returns {Promise<(video: HTMLVideoElement) => Promise<string[]>>}
 */
export async function makeTextReader() {
  let detector = await makeDetector();
  let decode = detector ? null : await makeDecoder(readText);
  const canvas = document.createElement("canvas");
  return async (video) => {
    try {
      if (detector) return (await detector.detect(video)).map(({ rawValue }) => rawValue);
    } catch {
      detector = null; // some browsers have a detector, but the system lacks what it needs
    }
    decode ??= await makeDecoder(readText);
    const text = decode(takePicture(video, canvas));
    return text === null ? [] : [text];
  };
}

/**
 * Return a function that returns the bytes of the code that a video shows at the moment, or null.
 * @returns {Promise<(video: HTMLVideoElement) => Uint8Array | null>}
 */
export async function makeByteReader() {
  const decode = await makeByteDecoder();
  const canvas = document.createElement("canvas");
  return (video) => decode(takePicture(video, canvas));
}

/**
 * Return a function that returns the bytes of the code in a picture, or null.
 * @returns {Promise<(picture: Picture) => Uint8Array | null>}
 */
export async function makeByteDecoder() {
  const decode = await makeDecoder(readLetters);
  return (picture) => {
    const letters = decode(picture);
    return letters === null ? null : Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  };
}

async function makeDetector() {
  const formats = await window.BarcodeDetector?.getSupportedFormats().catch(() => /** @type {string[]} */ ([]));
  return window.BarcodeDetector && formats?.includes(FORMAT) ? new window.BarcodeDetector({ formats: [FORMAT] }) : null;
}

/**
 * Load the library.
 * @param {(bytes: Uint8Array) => string} decode
 * @returns {Promise<Decode>}
 */
async function makeDecoder(decode) {
  const { Decoder, Detector, binarize, grayscale } = await import("../../vendor/nuintun__qrcode-5.0.3/decode.js");
  const [detector, decoder] = [new Detector(), new Decoder({ decode })];
  return (picture) => {
    const candidates = detector.detect(binarize(grayscale(picture), picture.width, picture.height));
    for (let found = candidates.next(); !found.done; found = candidates.next(false)) {
      try {
        return decoder.decode(found.value.matrix).content;
      } catch {
        // What looked like a code is none, or is not seen well enough.
      }
    }
    return null;
  };
}

/**
 * @param {HTMLVideoElement} video
 * @param {HTMLCanvasElement} canvas
 */
function takePicture(video, canvas) {
  const scale = Math.min(1, MAX_WIDTH / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  if (!drawing) throw new Error("this browser cannot draw");
  drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}

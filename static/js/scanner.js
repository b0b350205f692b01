// Scans QR codes with the camera, in the dialog of components/scanner.html. Without a camera, no scan button is shown.

import { makeTextReader } from "./phone/code_reader.js";

const SCAN_INTERVAL = 100; // milliseconds

// Looked up each time: the document may show another page than when this script was loaded.
/** @returns {HTMLDialogElement | null} */
const getDialog = () => document.querySelector("#scanner");
const getVideo = (dialog) => dialog.querySelector("video");

async function offer() {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  document.documentElement.classList.toggle("has-camera", devices.some(({ kind }) => kind === "videoinput"));
}

async function watch(dialog, accept) {
  const video = getVideo(dialog);
  const read = await makeTextReader();
  await video.play();
  while (dialog.open) {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth) {
      const texts = await read(video);
      const found = texts.map(accept).find(Boolean);
      if (found) return found;
      if (texts.length) dialog.querySelector("[role=status]").textContent = dialog.dataset.foreign;
    }
    await new Promise((resolve) => { setTimeout(resolve, SCAN_INTERVAL); });
  }
  return null;
}

function stop(dialog) {
  const video = getVideo(dialog);
  video.srcObject?.getTracks().forEach((track) => track.stop());
  video.srcObject = null;
}

/**
 * Scan until a code is accepted.
 * @param {(text: string) => string | null} accept what to return of a code's text; null if it is not the right one.
 * @returns {Promise<string | null>} null if the user has closed the dialog.
 * @throws {Error} the camera cannot be used.
 */
export async function scan(accept) {
  const dialog = getDialog();
  const video = getVideo(dialog);
  dialog.querySelector("[role=status]").textContent = "";
  dialog.showModal();
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1280 } } });
    return await watch(dialog, accept);
  } catch (error) {
    if (dialog.open) throw error;
    return null;
  } finally {
    dialog.close(); // or it would still be open when the user comes back
    stop(dialog);
  }
}

document.addEventListener("close", ({ target }) => { if (target === getDialog()) stop(target); }, { capture: true });
navigator.mediaDevices?.addEventListener("devicechange", offer);
offer();

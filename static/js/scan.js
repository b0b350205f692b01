// Scans the QR code on a bike with the camera. Without a camera, no scan button is shown. If the camera cannot be used,
// the script leads to the search by number, which opens the same page.

import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const CODE = /^\/b\/[a-z2-7]{40}\/$/;
const SCAN_INTERVAL = 100; // milliseconds
const MAX_WIDTH = 640; // pixels: larger images only take longer

// Looked up each time: the document may show another page than when this script was loaded.
/** @returns {HTMLDialogElement | null} */
const getDialog = () => document.querySelector("#scanner");
const getVideo = (dialog) => dialog.querySelector("video");

async function offer() {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  document.documentElement.classList.toggle("has-camera", devices.some(({ kind }) => kind === "videoinput"));
}

// Return the path of one of our codes. It is used on this server, whichever host name was printed in the code.
function readAddress(text) {
  try {
    const { pathname } = new URL(text);
    return CODE.test(pathname) ? pathname : null;
  } catch {
    return null; // not a URL
  }
}

function takePicture(video, canvas) {
  const scale = Math.min(1, MAX_WIDTH / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}

async function scanForCode(dialog) {
  const video = getVideo(dialog);
  const canvas = document.createElement("canvas");
  while (dialog.open) {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth) {
      const { data, width, height } = takePicture(video, canvas);
      const found = window.jsQR(data, width, height, { inversionAttempts: "dontInvert" });
      const address = found && readAddress(found.data);
      if (address) return address;
      if (found) dialog.querySelector("[role=status]").textContent = dialog.dataset.foreign;
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

function offerSearch() {
  const field = document.getElementById("q");
  document.getElementById("no-camera").hidden = false;
  field.closest("details").open = true;
  field.setAttribute("aria-describedby", "no-camera");
  field.focus();
}

async function scan(query) {
  const dialog = getDialog();
  const video = getVideo(dialog);
  dialog.querySelector("[role=status]").textContent = "";
  dialog.showModal();
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    await import(dialog.dataset.decoder);
    await video.play();
    const address = await scanForCode(dialog);
    dialog.close(); // or it would still be open when the user comes back
    if (address) location.assign(address + query);
  } catch {
    const wasOpen = dialog.open;
    dialog.close();
    if (wasOpen) offerSearch();
  } finally {
    stop(dialog);
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-scan]");
  if (button) scan(button.dataset.scan);
});
document.addEventListener("close", ({ target }) => { if (target === getDialog()) stop(target); }, { capture: true });
navigator.mediaDevices?.addEventListener("devicechange", offer);
offer();

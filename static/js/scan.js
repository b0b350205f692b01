// Finds the code on a bike with the camera. Where there is no camera nothing is offered; one that cannot be used leads to
// the search by number, which does the same.

const CODE = /^\/b\/[a-z2-7]{40}\/$/;
const LOOK_EVERY = 100; // milliseconds
const WIDEST = 640; // pixels: more only takes longer

// The page may be another one by now than the one this was loaded with.
const getDialog = () => document.getElementById("scanner");
const getVideo = (dialog) => dialog.querySelector("video");

async function offer() {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  document.documentElement.classList.toggle("has-camera", devices.some(({ kind }) => kind === "videoinput"));
}

// The address that a code of ours leads to, on this server whichever name the code was printed with.
function readAddress(text) {
  try {
    const { pathname } = new URL(text);
    return CODE.test(pathname) ? pathname : null;
  } catch {
    return null; // no address at all
  }
}

function takePicture(video, canvas) {
  const scale = Math.min(1, WIDEST / video.videoWidth);
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}

async function lookForCode(dialog) {
  const video = getVideo(dialog);
  const canvas = document.createElement("canvas");
  // A page that gives way to another one takes its dialog along, open as it is.
  while (dialog.open && dialog.isConnected) {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && video.videoWidth) {
      const { data, width, height } = takePicture(video, canvas);
      const found = window.jsQR(data, width, height, { inversionAttempts: "dontInvert" });
      const address = found && readAddress(found.data);
      if (address) return address;
      if (found) dialog.querySelector("[role=status]").textContent = dialog.dataset.foreign;
    }
    await new Promise((resolve) => { setTimeout(resolve, LOOK_EVERY); });
  }
  return null;
}

function stop(dialog) {
  const video = getVideo(dialog);
  video.srcObject?.getTracks().forEach((track) => track.stop());
  video.srcObject = null;
}

function askForNumber() {
  const field = document.getElementById("q");
  document.getElementById("no-camera").hidden = false;
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
    const address = await lookForCode(dialog);
    dialog.close(); // or it would be open still for whoever comes back
    if (address) location.assign(address + query);
  } catch {
    const wasOpen = dialog.open;
    dialog.close();
    if (wasOpen) askForNumber();
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

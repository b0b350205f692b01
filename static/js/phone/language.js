// The menu of languages on a crew page. Everything that the app needs in another language is another version of the
// app, which takes over as soon as it is stored.

import * as update from "./update.js";

const CHOSEN = "tailgunner-language-chosen"; // in the session storage, until the new version takes over
const MARK = "X-Tailgunner";

export function listen() {
  document.addEventListener("submit", onSubmit);
  document.addEventListener("phone:update", useNewVersion);
}

/** @param {SubmitEvent} event */
async function onSubmit(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches(".languages")) return;
  event.preventDefault();
  const failed = form.querySelector("[data-language-failed]");
  if (failed) failed.hidden = true;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form, event.submitter)) body.append(name, String(value));
  try {
    const answer = await fetch(form.action, { method: "POST", body, cache: "no-store" });
    if (!answer.headers.has(MARK)) throw new Error("someone else answered");
    sessionStorage.setItem(CHOSEN, "yes");
    location.reload();
  } catch {
    if (failed) failed.hidden = false;
  }
}

function useNewVersion() {
  if (sessionStorage.getItem(CHOSEN) && update.isReady() && update.activate()) sessionStorage.removeItem(CHOSEN);
}

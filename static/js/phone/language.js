// The menu of languages on a crew page. Everything that the app needs in another language is another version of the
// app, which takes over as soon as it is stored. Until then, pages that the phone answers are in the language from before.

import * as engine from "./engine.js";
import { hasInput } from "./page_refresh.js";
import * as update from "./update.js";

const CHOSEN = "tailgunner-language-chosen"; // in the session storage, until the new version takes over
const MARK = "X-Tailgunner";

export function listen() {
  document.addEventListener("submit", onSubmit);
  for (const kind of /** @type {const} */ (["phone:update", "phone:engine", "phone:page"])) document.addEventListener(kind, useNewVersion);
  // A download that failed, as on the way out of reach, is taken up again with signal.
  document.addEventListener("phone:network", ({ detail }) => { if (detail.how === "ok" && isWanted()) update.look(); });
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

/** Return whether the app is in another language than the user has chosen. */
const isWanted = () => Boolean(sessionStorage.getItem(CHOSEN)) || engine.isInOtherLanguage();

function useNewVersion() {
  if (isWanted() && update.isReady() && !hasInput() && update.activate()) sessionStorage.removeItem(CHOSEN);
}

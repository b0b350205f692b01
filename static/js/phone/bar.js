// The bar on every page of the crew: what is not sent yet, what needs attention, and whether a new version is ready.

import { showAttention } from "./attention.js";
import { count, countForReview, hasLost, listLateTaps } from "./outbox.js";
import { sendNow, status as sender } from "./sender.js";
import { status as ride } from "./ride.js";
import { countWaiting } from "./swap/carried.js";
import { deliver } from "./swap/delivering.js";
import * as update from "./update.js";

const SOON = 3_000; // what is sent within this needs no button

let tapped = false;
let fromPhone = false;
let since = 0; // when something began to wait
let isRestored = false; // the server had lost what this phone sends again; said as long as the document is there

const getBar = () => document.getElementById("phone-bar");
const say = (name, words = {}) => Object.entries(words).reduce((text, [key, value]) => text.replace(`{${key}}`, value), getBar().dataset[name]);

export function start() {
  for (const kind of ["phone:outbox", "phone:sender", "phone:network", "phone:update", "phone:engine", "phone:carried"]) {
    document.addEventListener(kind, render);
  }
  document.addEventListener("phone:tap", () => { tapped = true; render(); });
  document.addEventListener("phone:page", ({ detail }) => {
    [fromPhone, tapped] = [detail.isFromPhone, false];
    render();
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.xhr?.status) return;
    fromPhone = detail.xhr.getResponseHeader("X-Tailgunner-From") === "away" && detail.requestConfig.verb === "get";
    tapped = false;
    render();
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.("[data-bar-send]")) {
      sendNow();
      deliver();
    } else if (target.closest?.("[data-bar-attention]")) showAttention();
    else if (target.closest?.("[data-attention-close]")) target.closest("dialog").close();
    else if (target.closest?.("[data-bar-use]")) use();
  });
  setInterval(() => { if (since) render(); }, 1_000);
  return render();
}

function use() {
  const why = getBar().querySelector("[data-bar-why]");
  why.hidden = update.take();
  why.textContent = why.hidden ? "" : say("finishFirst");
}

async function render() {
  const [{ waiting: kept, attention, sent }, others, taps, forReview] =
    await Promise.all([count(), countWaiting(), listLateTaps(), countForReview()]);
  const waiting = kept + taps.length;
  isRestored ||= kept > 0 && await hasLost();
  const bar = getBar();
  if (!bar) return;
  const held = waiting + others;
  since = held ? since || Date.now() : 0;
  const isLate = held > 0 && (Date.now() - since > SOON || sender.how !== "ok");
  const text = tellState(waiting, others, sent, forReview);
  const line = bar.querySelector("[data-bar-line]");
  if (text && line.textContent !== text) document.dispatchEvent(new CustomEvent("say", { detail: text }));
  line.textContent = text;
  bar.classList.toggle("phone-bar--waiting", held > 0 || tapped || fromPhone || sender.how === "signed_out");
  bar.querySelector("[data-bar-send]").hidden = !isLate || sender.how === "signed_out";
  const button = bar.querySelector("[data-bar-attention]");
  button.hidden = attention === 0;
  const told = button.querySelector("[data-bar-attention-count]");
  told.textContent = told.dataset.text.replace("{n}", attention);
  bar.querySelector("[data-bar-update]").hidden = !update.isReady();
  bar.hidden = !text && attention === 0 && !update.isReady();
  document.querySelectorAll("[data-unsent-warning]").forEach((warning) => {
    warning.hidden = held === 0;
    warning.querySelector("[data-unsent-count]").textContent = held;
  });
}

const isSignedOut = () => sender.how === "signed_out" || ride.how === "signed_out";

function tellState(waiting, others, sent, forReview) {
  if (tapped) return say("tapped");
  if (waiting + others) {
    if (isSignedOut()) return say("signedOut", { n: waiting + others });
    const what = say(waiting && others ? "both" : waiting ? "own" : "others", { n: waiting, m: others });
    if (sender.how === "not_open") return say("notOpen", { what });
    if (isRestored && waiting) return say("again", { what });
    // With nothing of its own to send, the sender asks nobody.
    return sender.how === "away" || (!waiting && ride.how === "away") ? say("away", { what }) : what;
  }
  if (forReview && isSignedOut()) return say("withOrganiser", { n: forReview });
  if (fromPhone) return say("fromPhone");
  if (isRestored) return say("sentAgain");
  return sent ? say("sent") : "";
}

// The bar on every crew page: how many entries are not sent yet, what needs attention, and whether an update is ready.

import { showAttention } from "./attention.js";
import { hasDraft } from "./drafts.js";
import { getElement } from "./elements.js";
import { count, countForReview, hasRequeued, listOverdueTaps } from "./outbox.js";
import { listLosses } from "./memory.js";
import { hasOtherDevice } from "./owner.js";
import { sendNow, status as sender } from "./sender.js";
import { getHead, status as ride } from "./ride_copy.js";
import { countWaiting } from "./swap/relayed.js";
import { deliver } from "./swap/delivery.js";
import { fillText } from "./text.js";
import * as update from "./update.js";

const SOON = 3_000; // milliseconds before the Send button appears

let tapped = false;
let fromPhone = false;
let since = 0; // when something became pending
let isRestored = false; // the server had lost entries that are sent again; set for as long as the document is open

const getBar = () => document.getElementById("phone-bar");

/**
 * Return a text of the bar.
 * @param {string} name
 * @param {Record<string, string | number>} [words]
 */
const getText = (name, words = {}) => fillText(getElement(document, "#phone-bar").dataset[name] ?? "", words);

export function start() {
  for (const kind of /** @type {const} */ (["phone:outbox", "phone:sender", "phone:network", "phone:update", "phone:engine", "phone:relayed"])) {
    document.addEventListener(kind, render);
  }
  for (const kind of ["dice", "change"]) document.addEventListener(kind, hideOutdatedReason);
  document.addEventListener("phone:tap", () => { tapped = true; render(); });
  document.addEventListener("phone:page", ({ detail }) => {
    [fromPhone, tapped] = [detail.isFromPhone, false];
    render();
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.xhr?.status) return;
    fromPhone = detail.xhr.getResponseHeader("X-Tailgunner-From") === "away" && detail.requestConfig?.verb === "get";
    tapped = false;
    render();
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.("[data-bar-send]")) {
      sendNow();
      deliver();
    } else if (target.closest?.("[data-bar-attention]")) showAttention();
    else if (target.closest?.("[data-attention-close]")) target.closest("dialog")?.close();
    else {
      const button = target.closest?.("[data-bar-use]");
      if (button) useUpdate(button);
    }
  });
  setInterval(() => { if (since) render(); }, 1_000);
  return render();
}

/** @param {HTMLElement} button */
function useUpdate(button) {
  const why = getElement(document, "#phone-bar [data-bar-why]");
  why.hidden = update.activate();
  why.textContent = why.hidden ? "" : getText("finishFirst");
  button.ariaBusy = why.hidden ? "true" : null; // until the new version reloads the page
}

// The reason why an update waits is true only until the entry is recorded or cleared.
function hideOutdatedReason() {
  const why = document.querySelector("#phone-bar [data-bar-why]");
  if (why && !hasDraft()) why.hidden = true;
}

async function render() {
  hideOutdatedReason();
  const [{ waiting: own, attention, sent }, others, taps, forReview, copy] =
    await Promise.all([count(), countWaiting(), listOverdueTaps(), countForReview(), getHead()]);
  const losses = await listLosses(copy);
  const waiting = own + taps.length;
  isRestored ||= own > 0 && await hasRequeued();
  const bar = getBar();
  if (!bar) return;
  const pending = waiting + others;
  since = pending ? since || Date.now() : 0;
  const isLate = pending > 0 && (Date.now() - since > SOON || sender.how !== "ok");
  const text = describeState(waiting, others, losses.length ? 0 : sent, forReview);
  const line = getElement(bar, "[data-bar-line]");
  if (text && line.textContent !== text) document.dispatchEvent(new CustomEvent("say", { detail: text }));
  line.textContent = text;
  bar.classList.toggle("phone-bar--waiting", pending > 0 || tapped || fromPhone || sender.how === "signed_out" || isDeleted());
  getElement(bar, "[data-bar-send]").hidden = !isLate || sender.how === "signed_out" || isDeleted();
  const button = getElement(bar, "[data-bar-attention]");
  button.hidden = attention === 0;
  const label = getElement(button, "[data-bar-attention-count]");
  label.textContent = fillText(label.dataset.text ?? "", { n: attention });
  getElement(bar, "[data-bar-update]").hidden = !update.isReady();
  const lost = getElement(bar, "[data-bar-lost]");
  lost.textContent = losses.map(describeLoss).join(" ");
  lost.hidden = !losses.length;
  bar.hidden = !text && attention === 0 && !update.isReady() && !losses.length;
  document.querySelectorAll("[data-unsent-warning]").forEach((warning) => {
    warning.hidden = pending === 0;
    getElement(warning, "[data-unsent-count]").textContent = String(pending);
  });
}

/** @param {MemoryLoss} loss */
function describeLoss({ reason, found_at: found, missing }) {
  const words = { t: new Date(found).toLocaleTimeString([], { timeStyle: "short" }), n: missing };
  return getText(reason === "replaced" ? "lostReplaced" : missing ? "lostKnown" : "lostUnknown", words);
}

const isPractice = () => Boolean(document.querySelector("[data-practice-band]:not([hidden])"));
const isDeleted = () => sender.how === "deleted" || ride.how === "deleted";
const isSignedOut = () => sender.how === "signed_out" || ride.how === "signed_out";

/**
 * Return what the bar says, or "".
 * @param {number} waiting how many of this phone's entries are pending.
 * @param {number} others how many relayed entries are.
 * @param {number} sent how many entries the server has.
 * @param {number} forReview how many of them the organiser has to review.
 */
function describeState(waiting, others, sent, forReview) {
  if (tapped) return getText("tapped");
  if (isDeleted() && isPractice() && hasOtherDevice()) return getText("practiceEnded");
  if (isDeleted()) return waiting + others ? getText(waiting + others === 1 ? "deletedOne" : "deletedMany", { n: waiting + others }) : getText("deleted");
  if (waiting + others) {
    if (isSignedOut()) return getText("signedOut", { n: waiting + others });
    const text = getText(waiting && others ? "both" : waiting ? "own" : "others", { n: waiting, m: others });
    if (sender.how === "not_open") return getText("notOpen", { what: text });
    if (isRestored && waiting) return getText("again", { what: text });
    // With no entries of its own, the sender does not contact the server, so its status says nothing.
    return sender.how === "away" || (!waiting && ride.how === "away") ? getText("away", { what: text }) : text;
  }
  if (forReview && isSignedOut()) return getText("withOrganiser", { n: forReview });
  if (fromPhone) return getText("fromPhone");
  if (isRestored) return getText("sentAgain");
  return sent ? getText("sent") : "";
}

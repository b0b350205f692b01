// The bar on every crew page: how many entries are not sent yet, what needs attention, and whether an update is ready.

import { formatMoment } from "../clock_times.js";
import { showAttention } from "./attention.js";
import { describeEntry, describeOutcome, isAbout } from "./entry_wording.js";
import { hasDraft } from "./drafts.js";
import { getElement } from "./elements.js";
import { status as engine } from "./engine.js";
import { isReachable, link } from "./link.js";
import { count, countForReview, hasRequeued, listAttention, listOverdueTaps } from "./outbox.js";
import { listLosses } from "./memory.js";
import { hasOtherDevice } from "./owner.js";
import { sendNow, status as sender } from "./sender.js";
import { getHead, status as ride } from "./ride_copy.js";
import { countWaiting } from "./swap/relayed.js";
import { deliver } from "./swap/delivery.js";
import { fillText } from "./text.js";
import * as update from "./update.js";

const SOON = 3_000; // milliseconds before the Send button appears
const CONFLICT = "conflict";
const MAX_OUTCOMES = 2; // lines; the dialog has them all

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
  for (const kind of /** @type {const} */ (["phone:outbox", "phone:sender", "phone:link", "phone:network", "phone:update", "phone:engine", "phone:relayed"])) {
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
  const isLate = pending > 0 && (Date.now() - since > SOON || sender.how !== "ok" || !isReachable());
  const text = describeState(waiting, others, losses.length ? 0 : sent, forReview, attention);
  const line = getElement(bar, "[data-bar-line]");
  if (text && line.textContent !== text) document.dispatchEvent(new CustomEvent("say", { detail: text }));
  line.textContent = text;
  bar.classList.toggle("phone-bar--waiting", pending > 0 || tapped || isShownFromPhone() || sender.how === "signed_out" || isDeleted());
  getElement(bar, "[data-bar-send]").hidden = !isLate || sender.how === "signed_out" || isDeleted();
  const button = getElement(bar, "[data-bar-attention]");
  button.hidden = attention === 0;
  const label = getElement(button, "[data-bar-attention-count]");
  label.textContent = fillText((attention === 1 ? label.dataset.textOne : label.dataset.text) ?? "", { n: attention });
  getElement(bar, "[data-bar-update]").hidden = !update.isReady();
  const lost = getElement(bar, "[data-bar-lost]");
  getElement(lost, "[data-bar-losses]").textContent = losses.map((loss) => describeLoss(loss, copy?.owner.utc_offset)).join(" ");
  lost.hidden = !losses.length;
  const isPlain = engine.how === "failed" && !document.querySelector("[data-plain], [data-shell]"); // these say it themselves
  const plain = bar.querySelector("[data-bar-plain]"); // the bar of an older version has none
  if (plain) plain.hidden = !isPlain;
  bar.hidden = !text && attention === 0 && !update.isReady() && !losses.length && !isPlain;
  await renderOutcomes(bar);
  document.querySelectorAll("[data-unsent-warning]").forEach((warning) => {
    warning.hidden = pending === 0;
    getElement(warning, "[data-unsent-count]").textContent = String(pending);
  });
}

/**
 * Say what became of the entries that were made on this page and not accepted.
 * @param {HTMLElement} bar
 */
async function renderOutcomes(bar) {
  const list = bar.querySelector("[data-bar-outcomes]");
  if (!list) return; // the bar of an older version
  const entries = (await listAttention()).filter(isAbout);
  const lines = await Promise.all(entries.slice(0, MAX_OUTCOMES).map(describe));
  if (entries.length > MAX_OUTCOMES) lines.push(getText("more", { n: entries.length - MAX_OUTCOMES }));
  if ([...list.children].map(({ textContent }) => textContent).join() === lines.join()) return;
  list.replaceChildren(...lines.map((textContent) => Object.assign(document.createElement("li"), { textContent })));
  list.hidden = !lines.length;
  if (lines.length) document.dispatchEvent(new CustomEvent("say", { detail: lines.join(" ") }));
}

/** @param {SettledOperation} operation */
async function describe(operation) {
  const { outcome, problems } = operation.receipt;
  const why = outcome === CONFLICT ? "" : problems.map(({ message }) => message).join(" "); // what became of it says why
  return `${await describeEntry(operation)}. ${describeOutcome(operation)} ${why}`.trim();
}

/**
 * @param {MemoryLoss} loss
 * @param {number} [offset] the ride's from UTC.
 */
function describeLoss({ reason, found_at: found, missing }, offset) {
  const words = { t: formatMoment(new Date(found), offset), n: missing };
  return getText(reason === "replaced" ? "lostReplaced" : missing ? "lostKnown" : "lostUnknown", words);
}

// Without signal, what is shown is this phone's; a slow server may have rendered the page all the same.
const isShownFromPhone = () => !isReachable() && (fromPhone || link.how !== "slow");

const isPractice = () => Boolean(document.querySelector("[data-practice-band]:not([hidden])"));
const isDeleted = () => sender.how === "deleted" || ride.how === "deleted";
const isSignedOut = () => sender.how === "signed_out" || ride.how === "signed_out";

/**
 * Return what the bar says, or "".
 * @param {number} waiting how many of this phone's entries are pending.
 * @param {number} others how many relayed entries are.
 * @param {number} sent how many entries the server has.
 * @param {number} forReview how many of them the organiser has to review.
 * @param {number} attention how many entries need attention.
 */
function describeState(waiting, others, sent, forReview, attention) {
  if (tapped) return getText("tapped");
  if (isDeleted() && isPractice() && hasOtherDevice()) return getText("practiceEnded");
  if (isDeleted()) return waiting + others ? getText(waiting + others === 1 ? "deletedOne" : "deletedMany", { n: waiting + others }) : getText("deleted");
  if (waiting + others) {
    if (isSignedOut()) return getText("signedOut", { n: waiting + others });
    const text = getText(waiting && others ? "both" : waiting ? "own" : "others", { n: waiting, m: others });
    if (sender.how === "not_open") return getText("notOpen", { what: text });
    if (isRestored && waiting) return getText("again", { what: text });
    if (!isReachable()) return getText(link.how, { what: text });
    return sender.isSending ? getText("sending", { what: text }) : text;
  }
  if (forReview && isSignedOut()) return getText("withOrganiser", { n: forReview });
  if (isShownFromPhone()) return getText(`${link.how}FromPhone`);
  if (isRestored) return getText("sentAgain");
  if (attention) return getText("notAllCount");
  return sent ? getText("sent") : "";
}

// The bar on every page of the crew: what is not sent yet, what needs attention, and whether a new version is ready.

import { showAttention } from "./attention.js";
import { count } from "./outbox.js";
import { sendNow, status as sender } from "./sender.js";
import { status as ride } from "./ride.js";
import * as update from "./update.js";

const SOON = 3_000; // what is sent within this needs no button

let tapped = false;
let fromPhone = false;
let since = 0; // when something began to wait

const getBar = () => document.getElementById("phone-bar");
const say = (name, n) => getBar().dataset[name].replace("{n}", n);

export function start() {
  for (const kind of ["phone:outbox", "phone:sender", "phone:network", "phone:update", "phone:engine"]) {
    document.addEventListener(kind, render);
  }
  document.addEventListener("phone:tap", () => { tapped = true; render(); });
  document.addEventListener("phone:page", ({ detail }) => {
    [fromPhone, tapped] = [detail.isFromPhone, false];
    render();
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.xhr?.status) return;
    fromPhone = Boolean(detail.xhr.getResponseHeader("X-Tailgunner-From")) && detail.requestConfig.verb === "get";
    tapped = false;
    render();
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest?.("[data-bar-send]")) sendNow();
    else if (target.closest?.("[data-bar-attention]")) showAttention();
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
  const { waiting, attention, sent } = await count();
  const bar = getBar();
  if (!bar) return;
  since = waiting ? since || Date.now() : 0;
  const isLate = waiting > 0 && (Date.now() - since > SOON || sender.how !== "ok");
  const text = tellState(waiting, sent);
  const line = bar.querySelector("[data-bar-line]");
  if (text && line.textContent !== text) document.dispatchEvent(new CustomEvent("say", { detail: text }));
  line.textContent = text;
  bar.classList.toggle("phone-bar--waiting", waiting > 0 || tapped || fromPhone || sender.how === "signed_out");
  bar.querySelector("[data-bar-send]").hidden = !isLate || sender.how === "signed_out";
  const button = bar.querySelector("[data-bar-attention]");
  button.hidden = attention === 0;
  const told = button.querySelector("[data-bar-attention-count]");
  told.textContent = told.dataset.text.replace("{n}", attention);
  bar.querySelector("[data-bar-update]").hidden = !update.isReady();
  bar.hidden = !text && attention === 0 && !update.isReady();
  document.querySelectorAll("[data-unsent-warning]").forEach((warning) => {
    warning.hidden = waiting === 0;
    warning.querySelector("[data-unsent-count]").textContent = waiting;
  });
}

function tellState(waiting, sent) {
  if (tapped) return say("tapped");
  if (waiting && (sender.how === "signed_out" || ride.how === "signed_out")) return say("signedOut", waiting);
  if (waiting && sender.how === "not_open") return say("notOpen", waiting);
  if (waiting && sender.how === "away") return say("away", waiting);
  if (waiting) return say("waiting", waiting);
  if (fromPhone) return say("fromPhone");
  return sent ? say("sent") : "";
}

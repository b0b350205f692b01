// Starts everything that a phone needs to work without signal, on every crew page. If the browser cannot install the
// app, as over plain HTTP, nothing is started, and every page works as in any other browser.

import { isRepeated } from "../repeated_script.js";
import * as requestHandler from "./request_handler.js";
import * as bar from "./bar.js";
import * as syncMarks from "./sync_marks.js";
import * as decisions from "./decisions.js";
import * as drafts from "./drafts.js";
import { getElement } from "./elements.js";
import * as engine from "./engine.js";
import * as rideStream from "./ride_stream.js";
import * as iosBrowser from "./ios_browser.js";
import * as language from "./language.js";
import * as listRefresh from "./list_refresh.js";
import * as memory from "./memory.js";
import * as messages from "./messages.js";
import * as navigation from "./navigation.js";
import * as pageRefresh from "./page_refresh.js";
import * as plainPad from "./plain_pad.js";
import * as practiceBand from "./practice_band.js";
import * as ready from "./ready.js";
import * as serverRestore from "./server_restore.js";
import * as rideCopy from "./ride_copy.js";
import * as sender from "./sender.js";
import * as shell from "./shell.js";
import * as delivery from "./swap/delivery.js";
import * as signing from "./swap/signing.js";
import * as swap from "./swap/page.js";
import * as update from "./update.js";
import * as witness from "./witness.js";

// milliseconds: requests of a page that is left fail too, which says nothing about the network; by then it is gone
const FAILURE_REPORT_DELAY = 500;
const JOIN = "/crew/join/"; // the phone does not belong to a crew member yet

const MAX_IDLE_WAIT = 1_000; // milliseconds

/**
 * Wait until the browser has shown the page and has nothing else to do. The engine keeps a processor busy while it
 * starts; the shell has nothing else to wait for.
 */
const untilIdle = () => new Promise((resolve) => {
  if (document.querySelector("[data-shell]")) resolve(undefined);
  else if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: MAX_IDLE_WAIT });
  else setTimeout(resolve); // Safari
});

const isSupported = () => "serviceWorker" in navigator && "caches" in window && "locks" in navigator;

async function registerApp() {
  try {
    return Boolean(await update.register());
  } catch (error) {
    // The pages work without the app: the browser may forbid it, or the server may be down.
    console.info("The app is not installed:", error.message);
    return Boolean(navigator.serviceWorker.controller);
  }
}

async function start() {
  iosBrowser.start();
  if (!isSupported()) {
    ready.start();
    return;
  }
  language.listen();
  requestHandler.listen(getElement(document, "#phone-bar").dataset.notRecorded ?? "");
  if (navigator.serviceWorker.controller) untilIdle().then(engine.start);
  drafts.listen();
  await memory.listen();
  await bar.start();
  syncMarks.listen();
  decisions.listen();
  messages.listen();
  serverRestore.listen();
  practiceBand.listen();
  plainPad.listen();
  ready.start();
  swap.listen();
  witness.listen();
  const registered = registerApp();
  if (navigator.serviceWorker.controller || await registered) {
    navigation.listen();
    listRefresh.listen();
    pageRefresh.listen();
    reportNetwork();
    if (document.querySelector("[data-signed-out-page]")) await leave();
    else if (!location.pathname.startsWith(JOIN)) await begin();
  }
}

async function leave() {
  await rideCopy.deleteCopy();
  await signing.retire();
}

async function begin() {
  sender.start();
  delivery.start();
  signing.start();
  rideCopy.refreshPeriodically();
  rideStream.start();
  await untilIdle();
  // Replay earlier taps before showing a page.
  if (await engine.isExpected()) requestHandler.replayPendingTaps();
  const filled = shell.fillShell();
  drafts.restore();
  const fresh = rideCopy.refresh();
  await navigator.serviceWorker.ready;
  await engine.start();
  await fresh;
  await engine.start();
  await requestHandler.replayPendingTaps();
  await filled;
}

// Tell the service worker what the page finds out about the network, so that no tap has to wait to find it out again.
function reportNetwork() {
  let timer = 0;
  /** @param {boolean} isGood */
  const report = (isGood) => {
    if (!update.isActivating()) update.tellServiceWorker(navigator.serviceWorker.controller, { tell: "network", isGood });
  };
  /** @param {boolean} isGood */
  const plan = (isGood) => {
    clearTimeout(timer);
    if (isGood) report(true);
    else timer = setTimeout(report, FAILURE_REPORT_DELAY, false);
  };
  document.addEventListener("phone:network", ({ detail }) => plan(detail.how !== "away"));
  document.addEventListener("phone:sent", () => plan(true));
}

if (!isRepeated(import.meta.url)) {
  start().catch((error) => {
    console.info("The app could not start:", error.message);
    shell.fail(error);
  });
}

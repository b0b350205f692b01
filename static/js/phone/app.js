// Starts what a phone needs to work without signal, on every page of the crew. Where the browser cannot keep an app, as
// over plain HTTP, nothing is started and every page works as it does anywhere.

import * as answering from "./answering.js";
import * as bar from "./bar.js";
import * as crew from "./crew.js";
import * as decisions from "./decisions.js";
import * as drafts from "./drafts.js";
import * as engine from "./engine.js";
import * as following from "./following.js";
import * as lists from "./lists.js";
import * as pages from "./pages.js";
import * as ready from "./ready.js";
import * as restored from "./restored.js";
import * as ride from "./ride.js";
import * as sender from "./sender.js";
import * as shell from "./shell.js";
import * as delivering from "./swap/delivering.js";
import * as signing from "./swap/signing.js";
import * as swap from "./swap/page.js";
import * as update from "./update.js";
import * as witness from "./witness.js";

const JOIN = "/crew/join/"; // nobody's phone yet

const canKeep = () => "serviceWorker" in navigator && "caches" in window && "locks" in navigator;

async function isKept() {
  try {
    return Boolean(await update.register());
  } catch (error) {
    // The pages work without; a browser may forbid it, and a server that is away has none to give.
    console.info("The app is not kept:", error.message);
    return Boolean(navigator.serviceWorker.controller);
  }
}

async function start() {
  if (!canKeep()) {
    ready.start();
    return;
  }
  answering.listen();
  if (navigator.serviceWorker.controller) engine.start();
  drafts.listen();
  await bar.start();
  crew.listen();
  decisions.listen();
  restored.listen();
  ready.start();
  swap.listen();
  witness.listen();
  const kept = isKept();
  if (navigator.serviceWorker.controller || await kept) {
    pages.listen();
    lists.listen();
    tellNetwork();
    if (document.querySelector("[data-left-the-crew]")) await leave();
    else if (!location.pathname.startsWith(JOIN)) await begin();
  }
}

async function leave() {
  await ride.forget();
  await signing.retire();
}

async function begin() {
  sender.start();
  delivering.start();
  signing.start();
  ride.keepFresh();
  following.start();
  // What was tapped before comes before what is shown.
  if (await engine.isExpected()) judge();
  const filled = shell.fill();
  drafts.restore();
  const fresh = ride.refresh();
  await navigator.serviceWorker.ready;
  await engine.start();
  await fresh;
  await engine.start();
  await judge();
  await filled;
}

const judge = () => answering.judgeLeftTaps(document.getElementById("phone-bar").dataset.notNoted);

// What the page finds out about the network spares the service worker from finding it out again, at a tap's expense.
function tellNetwork() {
  const pass = (isGood) => navigator.serviceWorker.controller?.postMessage({ tell: "network", isGood });
  document.addEventListener("phone:network", ({ detail }) => pass(detail.how !== "away"));
  document.addEventListener("phone:sent", () => pass(true));
}

start();

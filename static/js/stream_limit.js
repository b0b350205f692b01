// Limits how many windows of a browser have a stream open at once, and says so in those that have none.
//
// Over HTTP/1.1, browsers open at most six connections to a host, and an open stream occupies one. With six of them the
// next window, or even the next page, would wait without a word. So only the windows that have been visible longest have
// a stream; the others poll, and an element marked `data-polling` says why. Over HTTP/2 there is no such limit.
//
// Visible windows tell each other every second that they are there. Web Locks would be simpler, but browsers offer them
// over HTTPS only, and a ride may be served without it.

const MAX_STREAMS = 4; // leaves two connections for pages and what they send
const SILENCE = 5_000; // milliseconds: a window that was not heard for longer is gone
const INTERVAL = 1_000;

const [loading] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
const isLimited = !["h2", "h3"].includes(loading?.nextHopProtocol);
const channel = new BroadcastChannel("tailgunner-streams");
const id = `${Date.now()}-${Math.random()}`;

/** @type {Map<string, { since: number, heard: number }>} the other visible windows */
const others = new Map();
/** @type {(() => void)[]} */
const listeners = [];
let since = Date.now(); // when this window became visible
let isAllowed = true;

/** Return whether this window may have a stream open now. */
export const mayStream = () => isAllowed && !document.hidden;

/**
 * Call a function whenever `mayStream` may have changed.
 * @param {() => void} listener
 */
export const onStreamLimit = (listener) => { listeners.push(listener); };

/** @param {{ since: number, heard: number }} other @param {string} otherId */
const isBefore = (other, otherId) => other.since < since || (other.since === since && otherId < id);

function check() {
  const now = Date.now();
  for (const [otherId, { heard }] of others) if (now - heard > SILENCE) others.delete(otherId);
  const before = [...others].filter(([otherId, other]) => isBefore(other, otherId)).length;
  const wasAllowed = isAllowed;
  isAllowed = !isLimited || before < MAX_STREAMS;
  show(wasAllowed && !isAllowed);
  if (isAllowed !== wasAllowed) listeners.forEach((listener) => listener());
}

/** @param {boolean} isNew whether this window has just lost its stream, which is then announced */
function show(isNew) {
  for (const notice of document.querySelectorAll("[data-polling]")) {
    notice.toggleAttribute("hidden", isAllowed);
    if (isNew) document.dispatchEvent(new CustomEvent("say", { detail: notice.textContent?.trim() }));
  }
}

const announce = () => channel.postMessage({ id, since });
const leave = () => channel.postMessage({ id, since: null });

channel.addEventListener("message", ({ data }) => {
  if (data.since === null) {
    others.delete(data.id);
  } else {
    const isUnknown = !others.has(data.id);
    others.set(data.id, { since: data.since, heard: Date.now() });
    if (isUnknown && !document.hidden) announce(); // it does not know this window either
  }
  if (!document.hidden) check();
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    leave();
  } else {
    since = Date.now();
    announce();
    check();
  }
  listeners.forEach((listener) => listener());
});
window.addEventListener("pagehide", leave);
setInterval(() => {
  if (document.hidden) return;
  announce();
  check();
}, INTERVAL);
if (!document.hidden) announce();

// Keeps the event stream of a live page connected, and shows how current the page is. htmx's extension opens the stream
// and swaps in the data; this script keeps it open. Browsers reconnect after a lost connection, but not after a
// refusal, and they do not notice a connection that died while the machine slept. While there is no stream, htmx polls
// every ten seconds, as it would without this script. A page without a stream polls immediately when it becomes visible
// again. Of many visible windows of a browser, only some have a stream: see stream_limit.js.

import { formatClock } from "./clock_times.js";
import { mayStream, onStreamLimit } from "./stream_limit.js";

const HEARTBEAT_TIMEOUT = 12_000; // the server sends a heartbeat every 10 s
const STALE = 20_000;
const RETRY_DELAY = 2_000; // after a refusal
const CONNECT_TIMEOUT = 5_000; // for a connection that neither opens nor fails
const SLOW_RETRY_DELAY = 30_000; // where polling works and streams do not
const MAX_QUICK_RETRIES = 5; // without a stream, before SLOW_RETRY_DELAY applies
const POLL_TIMEOUT = 15_000;
const SLEEP_GAP = 5_000;
const ANNOUNCE_STALE_AFTER = 5; // seconds: after waking up, the page is current again sooner

let streamHeard = 0;
let pollHeard = Date.now(); // loading the page counts as a poll
let asOf = 0; // in the server's time
let ahead = 0; // how far the server's clock is ahead of this one, in milliseconds
let staleFor = 0; // seconds
let ticked = Date.now();
const streams = new Set();

class Stream extends EventTarget {
  #url;
  #source = null;
  #last;
  #due = 0;
  #tries = 0; // since data last arrived on a stream

  constructor(url) {
    super();
    this.#url = new URL(url, location.href);
    this.#last = this.#url.searchParams.get("last") ?? "";
    streams.add(this);
    this.connect();
  }

  // Never CLOSED, so that htmx leaves reconnecting to this class.
  get readyState() { return this.#source?.readyState === EventSource.OPEN ? EventSource.OPEN : EventSource.CONNECTING; }

  connect() {
    this.pause();
    if (!mayStream()) return;
    this.#tries += 1;
    this.#scheduleRetry(CONNECT_TIMEOUT);
    this.#url.searchParams.set("last", this.#last);
    this.#source = new EventSource(this.#url);
    this.#source.addEventListener("error", () => this.#scheduleRetry(RETRY_DELAY));
    this.#source.addEventListener("rows", (event) => this.#onRows(event));
    this.#source.addEventListener("beat", (event) => this.#onBeat(event));
  }

  pause() {
    this.#source?.close();
    this.#source = null;
  }

  close() {
    this.pause();
    streams.delete(this);
  }

  reconnectIfLost(now) {
    const isLost = !this.#source || this.#source.readyState === EventSource.CLOSED || now - streamHeard > HEARTBEAT_TIMEOUT;
    if (isLost && now >= this.#due) this.connect();
  }

  #scheduleRetry(pause) {
    const isFailing = this.#tries > MAX_QUICK_RETRIES && Date.now() - pollHeard < POLL_TIMEOUT;
    this.#due = Date.now() + (isFailing ? SLOW_RETRY_DELAY : pause);
  }

  #onBeat({ data }) {
    this.#tries = 0;
    streamHeard = Date.now();
    setServerTime(Number(data));
  }

  #onRows({ type, data, lastEventId }) {
    this.#last = lastEventId;
    this.dispatchEvent(new MessageEvent(type, { data, lastEventId }));
    setServerTime(asOf ? Date.now() + ahead : 0); // what has just arrived is no older
  }
}

window.htmx.createEventSource = (url) => new Stream(url);

function setServerTime(time) {
  if (time) ahead = time - Date.now();
  asOf = Math.max(asOf, time);
  show();
}

// The server sends the ride's offset from UTC: the browser's time zone data may be older or newer.
const format = (offset) => formatClock(new Date(asOf + offset * 1000).toISOString().slice(11, 19));

function show() {
  const fresh = document.querySelector("[data-fresh]");
  if (!fresh) return;
  /** @type {HTMLTimeElement} */
  const shown = fresh.querySelector("[data-as-of]");
  asOf = Math.max(asOf, Date.parse(shown.dateTime)); // a page that was swapped in brings the time of its figures
  const time = format(Number(fresh.dataset.offset));
  const stale = fresh.querySelector("[data-stale]");
  shown.dateTime = new Date(asOf).toISOString();
  shown.textContent = time;
  fresh.querySelector("[data-since]").textContent = time;
  stale.hidden = Date.now() - Math.max(streamHeard, pollHeard) < STALE;
  if (stale.hidden) staleFor = 0;
  else if (staleFor === ANNOUNCE_STALE_AFTER) document.dispatchEvent(new CustomEvent("say", { detail: stale.textContent.trim() }));
}

function tick() {
  const now = Date.now();
  const slept = now - ticked > SLEEP_GAP;
  ticked = now;
  if (document.hidden) return;
  if (slept) wake();
  streams.forEach((stream) => stream.reconnectIfLost(now));
  staleFor += 1;
  show();
}

function wake() {
  if (!document.hidden && Date.now() - streamHeard > HEARTBEAT_TIMEOUT) reconnect();
}

function reconnect() {
  streams.forEach((stream) => stream.connect());
  if (!streams.size || !mayStream()) document.querySelectorAll("[data-live]").forEach((part) => window.htmx.trigger(part, "ask"));
}

// A hidden page needs no stream, and the number of connections per browser is limited.
onStreamLimit(() => {
  if (!mayStream()) {
    streams.forEach((stream) => stream.pause());
    streamHeard = 0; // so that polling begins
  }
  if (!document.hidden) reconnect();
});
window.addEventListener("pageshow", wake);
window.addEventListener("online", wake);
setInterval(tick, 1000);

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.target.matches("[data-live]")) return;
  const isLive = Date.now() - streamHeard < HEARTBEAT_TIMEOUT;
  if (isLive || document.hidden) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (!target.matches?.("[data-live]") || !detail.successful) return;
  pollHeard = Date.now();
  setServerTime(Date.parse(detail.xhr.getResponseHeader("Date")) || pollHeard);
});

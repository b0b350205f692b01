// The stream of a live page, and the time up to which the page is right.
// htmx's extension opens the stream and puts in what comes; here it is kept open. A browser comes back by itself after a
// lost connection, but not after a refusal, and it does not notice a connection that died while the machine slept. While
// there is no stream, htmx asks every ten seconds as it would without this script. A page that has none asks at once when
// it is looked at again.

const BEAT_MISSED = 12_000; // the server gives a sign of life every 10 s
const STALE = 20_000;
const TRY_AGAIN = 2_000; // after a refusal
const TRY_ANEW = 5_000; // what neither opens nor fails
const TRY_SELDOM = 30_000; // where asking works and streams do not,
const FEW = 5; // as so many tries have shown
const POLL_MISSED = 15_000;
const SLEPT = 5_000;
const SAY_STALE_AFTER = 5; // seconds: whoever wakes is right again sooner

let streamHeard = 0;
let pollHeard = Date.now(); // the page itself is as good as an answer
let asOf = 0; // by the server's clock
let staleFor = 0; // seconds
let ticked = Date.now();
const streams = new Set();

class Stream extends EventTarget {
  #url;
  #source = null;
  #last;
  #due = 0;
  #tries = 0; // since a stream was heard

  constructor(url) {
    super();
    this.#url = new URL(url, location.href);
    this.#last = this.#url.searchParams.get("last") ?? "";
    streams.add(this);
    this.connect();
  }

  // htmx never sees a stream closed, and so leaves it to us.
  get readyState() { return this.#source?.readyState === EventSource.OPEN ? EventSource.OPEN : EventSource.CONNECTING; }

  connect() {
    this.pause();
    this.#tries += 1;
    this.#wait(TRY_ANEW);
    this.#url.searchParams.set("last", this.#last);
    this.#source = new EventSource(this.#url);
    this.#source.addEventListener("error", () => this.#wait(TRY_AGAIN));
    this.#source.addEventListener("rows", (event) => this.#pass(event));
    this.#source.addEventListener("beat", (event) => this.#hear(event));
  }

  pause() { this.#source?.close(); }

  close() {
    this.pause();
    streams.delete(this);
  }

  look(now) {
    const isLost = this.#source.readyState === EventSource.CLOSED || now - streamHeard > BEAT_MISSED;
    if (isLost && now >= this.#due) this.connect();
  }

  #wait(pause) {
    const isInVain = this.#tries > FEW && Date.now() - pollHeard < POLL_MISSED;
    this.#due = Date.now() + (isInVain ? TRY_SELDOM : pause);
  }

  #hear({ data }) {
    this.#tries = 0;
    streamHeard = Date.now();
    know(Number(data));
  }

  #pass({ type, data, lastEventId }) {
    this.#last = lastEventId;
    this.dispatchEvent(new MessageEvent(type, { data, lastEventId }));
    show();
  }
}

window.htmx.createEventSource = (url) => new Stream(url);

function know(time) {
  asOf = Math.max(asOf, time);
  show();
}

// The server says how far the ride's clock is from UTC: what a browser knows of time zones may be older, or newer.
const format = (offset) => new Date(asOf + offset * 1000).toISOString().slice(11, 19);

function show() {
  const fresh = document.querySelector("[data-fresh]");
  if (!fresh) return;
  const shown = fresh.querySelector("[data-as-of]");
  asOf ||= Date.parse(shown.dateTime);
  const time = format(Number(fresh.dataset.offset));
  const stale = fresh.querySelector("[data-stale]");
  shown.dateTime = new Date(asOf).toISOString();
  shown.textContent = time;
  fresh.querySelector("[data-since]").textContent = time;
  stale.hidden = Date.now() - Math.max(streamHeard, pollHeard) < STALE;
  if (stale.hidden) staleFor = 0;
  else if (staleFor === SAY_STALE_AFTER) document.dispatchEvent(new CustomEvent("say", { detail: stale.textContent.trim() }));
}

function tick() {
  const now = Date.now();
  const slept = now - ticked > SLEPT;
  ticked = now;
  if (document.hidden) return;
  if (slept) wake();
  streams.forEach((stream) => stream.look(now));
  staleFor += 1;
  show();
}

function wake() {
  if (!document.hidden && Date.now() - streamHeard > BEAT_MISSED) follow();
}

function follow() {
  streams.forEach((stream) => stream.connect());
  if (!streams.size) document.querySelectorAll("[data-live]").forEach((part) => window.htmx.trigger(part, "ask"));
}

// A page that nobody sees needs no stream, and a browser has few connections to give.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) streams.forEach((stream) => stream.pause());
  else follow();
});
window.addEventListener("pageshow", wake);
window.addEventListener("online", wake);
setInterval(tick, 1000);

document.addEventListener("htmx:beforeRequest", (event) => {
  if (!event.target.matches("[data-live]")) return;
  const isLive = Date.now() - streamHeard < BEAT_MISSED;
  if (isLive || document.hidden) event.preventDefault();
});

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (!target.matches?.("[data-live]") || !detail.successful) return;
  pollHeard = Date.now();
  know(Date.parse(detail.xhr.getResponseHeader("Date")) || pollHeard);
});

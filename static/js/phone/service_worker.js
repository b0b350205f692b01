// Stands between the crew's pages and the network. The server writes one line before this: APP, with the version of the
// app, the files of it, and the pages that are the same for everybody.
//
// A page of the crew comes from the server where that answers soon, else from the phone: from the engine that runs in a
// worker of a page, which is asked over a channel. Where no page is open yet, the shell is answered, which starts one.
// What is noted goes by the phone whenever it can, since it is to be kept before anything else happens to it.
//
// The phone says no only to what it knows. What it does not know may have been created since its last look at the ride:
// such a request goes to the server, and where that is out of reach the page keeps what was tapped and says so.
//
// An answer is the server's only if it carries the server's mark: whoever else answers, such as the login page of a
// hotel's network, counts as no answer.

const CACHE = `tailgunner-${APP.version}`;
const MARK = "X-Tailgunner";
const FROM_PHONE = "X-Tailgunner-From"; // "phone": it went first; "away": the server did not answer
const PASSED_ON = "X-Tailgunner-Tap"; // a tap that the page itself sends to the server
const SHOWN = 422; // as good as a page of the server that says why not
const [SHELL] = APP.pages;
const KEPT = new Set(APP.files);
const CREW = "/crew/";
const ALSO = ["/rules/", "/b/"]; // which the phone knows too: the rule books, and the codes on bikes
const DICE_SET = "/crew/dice-set/";
// What only the server can do: whose phone this is.
const SERVER_ONLY = ["/crew/join/", "/crew/sign-out/"];
const LONG = 3_000; // for the server, where it answered last time,
const SHORT = 800; // and where it did not
const LONGEST = 30_000; // where nobody else can answer
const MOMENTS = 15_000; // for which a failure counts
const TAKEN_UP = 2_000; // for a page to say whether it can answer,
const TAKEN_UP_BY_OTHERS = 300; // which a page that nobody looks at may not be awake for
const LOOK_AGAIN = 1_000; // whether the page that said so is still open
const NO_BODY = new Set([204, 205, 304]); // not even an empty one
const OURS_AWAY = 502; // and above: our own server is there, and cannot answer

let failed = 0; // when the network did

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => {
  if (data?.tell === "take-over") self.skipWaiting();
  else if (data?.tell === "network") failed = data.isGood ? 0 : Date.now();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (KEPT.has(url.pathname)) event.respondWith(give(url.pathname, request));
  else if (APP.pages.includes(url.pathname)) event.respondWith(givePage(url.pathname, request));
  else if (![CREW, ...ALSO].some((path) => url.pathname.startsWith(path))) return;
  else if (SERVER_ONLY.some((path) => url.pathname.startsWith(path))) event.respondWith(askServerOnly(request));
  else if (request.headers.has(PASSED_ON)) return;
  else if (request.method === "POST") event.respondWith(take(event, url));
  else if (request.method === "GET") event.respondWith(show(event, url));
});

// --- what is kept ---

async function install() {
  const cache = await caches.open(CACHE);
  // Four at a time: a phone at the edge of the signal loses the lot otherwise.
  const waiting = [...APP.files, ...APP.pages];
  const fetchNext = async () => {
    for (let path = waiting.pop(); path; path = waiting.pop()) {
      if (!(await cache.match(path))) await cache.put(path, await fetchOurs(path));
    }
  };
  await Promise.all([1, 2, 3, 4].map(fetchNext));
}

async function fetchOurs(path) {
  const answer = await fetch(path, { cache: path.startsWith("/static/") ? "default" : "no-cache", credentials: "omit" });
  // Static files may be handed out by a proxy, which knows nothing of the mark; none of them is a page.
  const isPage = (answer.headers.get("Content-Type") ?? "").startsWith("text/html");
  if (!answer.ok || answer.redirected || (isPage && !answer.headers.has(MARK))) throw new Error(`${path} cannot be had`);
  return answer;
}

// Only files are given up here. What was noted lies in a database, which no version of this script touches.
async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("tailgunner-") && name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

const find = async (path) => (await caches.open(CACHE)).match(path);
const give = async (path, request) => (await find(path)) ?? fetch(request);

async function givePage(path, request) {
  return (await askServer(request)) ?? (await find(path)) ?? Response.error();
}

// --- the server ---

const isAway = () => !self.navigator.onLine || Date.now() - failed < MOMENTS;

/** Ask the server; null where no answer of its own comes in time. */
async function askServer(request, limit = isAway() ? SHORT : LONG) {
  const given = new AbortController();
  const timer = setTimeout(() => given.abort(), limit);
  try {
    const answer = await fetch(request.url, {
      headers: request.headers, credentials: "same-origin", redirect: "follow", cache: "no-store", signal: given.signal,
    });
    if (!answer.headers.has(MARK)) throw new Error("someone else answered");
    failed = 0;
    if (answer.status >= OURS_AWAY) return null;
    return request.mode === "navigate" && answer.redirected ? Response.redirect(answer.url) : answer;
  } catch {
    failed = Date.now();
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function askServerOnly(request) {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.mode !== "navigate" || request.method !== "GET") throw error;
    return (await find(SHELL)) ?? Response.error();
  }
}

// --- the phone ---

/** Ask the pages that are open; null where none can answer. `when` is "always", or "ahead": only what the server lacks.
 * The answer names the `client` that gave it and, of a form, the number of the `tap` that is still kept there. It is
 * `isUnable` where only the server can do this, and `isUnknown` where the server may know more of it. */
async function askPhone(event, asked, when) {
  if (!APP.hasEngine) return null;
  const patience = asked.isNavigation ? TAKEN_UP_BY_OTHERS : TAKEN_UP;
  for (const client of await listClients(event)) {
    const told = await askClient(client, { ...asked, when }, patience);
    if (told) return { ...told, client };
  }
  return null;
}

const isKnown = (told) => Boolean(told?.status) && !told.isUnable && !told.isUnknown;

async function listClients({ clientId }) {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const pages = all.filter(({ url }) => new URL(url).pathname.startsWith(CREW));
  return pages.sort((one, other) => (other.id === clientId) - (one.id === clientId));
}

function askClient(client, asked, patience) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    let watch = 0;
    const end = (data) => {
      clearTimeout(timer);
      clearInterval(watch);
      port1.close();
      resolve(data);
    };
    const timer = setTimeout(() => end(null), patience);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      // The answer comes when it is ready, unless the page is left first. Until then no new version can take over.
      if (data.isTaken) watch = setInterval(async () => { if (!(await self.clients.get(client.id))) end(null); }, LOOK_AGAIN);
      else end(data.status || data.tap ? data : null);
    };
    client.postMessage({ ask: "answer", ...asked }, [port2]);
  });
}

async function describe(request, url) {
  const names = ["accept", "content-type", "hx-request", "hx-target", "hx-trigger", "hx-current-url", "hx-boosted"];
  const headers = Object.fromEntries(names.filter((name) => request.headers.has(name)).map((name) => [name, request.headers.get(name)]));
  const body = request.method === "POST" ? await readForm(request) : "";
  if (body) headers["content-type"] = "application/x-www-form-urlencoded";
  return { method: request.method, path: `${url.pathname}${url.search}`, headers, body, isNavigation: request.mode === "navigate" };
}

// The engine reads one kind of form; none of the crew's forms sends a file.
async function readForm(request) {
  const fields = await request.clone().formData();
  return new URLSearchParams([...fields].filter(([, value]) => typeof value === "string")).toString();
}

async function makeAnswer(told, request, from = "phone") {
  const headers = new Headers(told.headers);
  headers.set(FROM_PHONE, from);
  headers.set(MARK, "1");
  if (request.mode === "navigate") {
    const location = headers.get("Location");
    if (location && told.status >= 300 && told.status < 400) return Response.redirect(new URL(location, request.url), told.status);
    const policy = (await find(SHELL))?.headers.get("Content-Security-Policy");
    if (policy) headers.set("Content-Security-Policy", policy);
  }
  return new Response(NO_BODY.has(told.status) ? null : told.body, { status: told.status, headers });
}

// --- what is asked for ---

async function show(event, url) {
  const { request } = event;
  const asked = await describe(request, url);
  const ahead = asked.isNavigation ? null : await askPhone(event, asked, "ahead");
  if (isKnown(ahead)) return makeAnswer(ahead, request);
  if (!isAway()) {
    const answer = await askServer(request);
    if (answer) {
      // The stop that is chosen is remembered on both sides.
      if (url.pathname === CREW && url.searchParams.has("stop")) event.waitUntil(askPhone(event, asked, "always"));
      return answer;
    }
  }
  const told = await askPhone(event, asked, "always");
  if (isKnown(told)) return makeAnswer(told, request, "away");
  if (!told && asked.isNavigation && APP.hasEngine) return (await find(SHELL)) ?? Response.error();
  const limit = told && !told.isUnable ? SHORT : LONGEST;
  return (await askServer(request, limit)) ?? (told ? makeAnswer(told, request, "away") : Response.error());
}

// The page keeps a tap that is for the server until it hears of this.
function tellAnswered(told, status) {
  if (told?.tap) told.client.postMessage({ tell: "answered", tap: told.tap, status });
}

async function take(event, url) {
  const { request } = event;
  const told = await askPhone(event, await describe(request, url), "always");
  if (isKnown(told) && url.pathname !== DICE_SET) return makeAnswer(told, request);
  let answer;
  try {
    answer = await fetch(request);
    if (request.mode !== "navigate" && !answer.headers.has(MARK)) throw new Error("someone else answered");
  } catch (error) {
    // An answer in the place of the form would take away what was tapped.
    if (!told?.status || told.isUnknown) throw error;
    tellAnswered(told, SHOWN);
    return makeAnswer(told, request, "away");
  }
  tellAnswered(told, answer.status);
  // A form that the phone drew is none of the server's, which refuses it; the phone has remembered what it said.
  const isRemembered = url.pathname === DICE_SET || told?.isUnable;
  return isRemembered && told?.status && answer.status >= 400 ? makeAnswer(told, request) : answer;
}

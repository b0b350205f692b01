// The service worker: answers the requests of the crew's pages. The server prepends one line to this script: APP, with
// the version of the app, its files, and the pages that are the same for everyone.
//
// - A crew page comes from the server if that responds soon, otherwise from the phone: the engine runs in a worker of
//   an open page, which this script calls over a channel. While the engine is still starting, the first of the two to
//   respond is used. If no page is open, it returns the shell, which starts the engine.
// - A form that records something goes to the phone whenever possible, because the entry must be stored before anything
//   else happens to it.
// - The phone refuses only what it knows to be wrong. Something it does not know may have been created since its copy
//   of the ride was last refreshed: such a request goes to the server. If the server cannot be reached, the page stores
//   the tap and tells the user.
// - A response is the server's only if it carries the server's header. Any other response, such as the login page of a
//   hotel's network, counts as no response.

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const CACHE = `tailgunner-${APP.version}`;
const MARK = "X-Tailgunner";
const FROM_PHONE = "X-Tailgunner-From"; // "phone": the phone answered first; "away": the server did not respond
/** @type {Protocol} */
const PROTOCOL = 1;
const LANGUAGE_HEADER = "X-Tailgunner-Language"; // the language of the open page that a part is for
const FORWARDED_TAP = "X-Tailgunner-Tap"; // marks a tap that the page itself sends to the server
const SHOWN = 422; // equivalent to a page from the server that shows the problems
const [SHELL] = APP.pages;
const PRECACHED = new Set(APP.files);
const CREW = "/crew/";
const STATIC = "/static/";
const OTHER_PATHS = ["/rules/", "/b/"]; // also handled by the phone: the rule books, and the codes on bikes
const DICE_SET = "/crew/dice-set/";
// Never handled by this worker. Browsers that know static routes do not even start it for these.
const NETWORK_ONLY = ["/api/*", "/events/*"];
// Only the server can change the phone's owner.
const SERVER_ONLY = ["/crew/join/", "/crew/switch/", "/crew/sign-out/"];
const SWITCH = "/crew/switch/";
const PATIENT_TIMEOUT = 3_000; // milliseconds for the server, if it responded last time
const SHORT_TIMEOUT = 800; // and if it did not
const MAX_TIMEOUT = 30_000; // if the phone cannot answer either
const FAILURE_WINDOW = 15_000; // for which a network failure is assumed to last
const PHONE_TIMEOUT = 2_000; // for the phone, before the server is asked as well
const CLAIM_TIMEOUT = 2_000; // for a page to say whether it can answer
const NAVIGATION_CLAIM_TIMEOUT = 300; // the other pages are in the background and may be asleep
const NAVIGATION_REPLY_TIMEOUT = 10_000; // for the reply itself: a page that hangs must not keep its own reload waiting
const CLIENT_CHECK_INTERVAL = 1_000; // checks whether the page that claimed the request is still open
const NO_BODY = new Set([204, 205, 304]); // a Response with these must not have even an empty body
const SERVER_UNAVAILABLE = 502; // and above: our server is there but cannot respond

let failed = 0; // when the network last failed
/** @type {Set<() => void>} */
const waits = new Set(); // functions that end what a GET request waits for: the reply of a page or of the server

scope.addEventListener("install", (event) => event.waitUntil(install(event)));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
// The fields and values of messages are data: after an update, this worker talks to pages of the previous version.
scope.addEventListener("message", (event) => {
  /** @type {MessageToServiceWorker | null} */
  const data = event.data;
  if (!data) return;
  if ("ask" in data) event.waitUntil(answerMayUpgrade(event, data.file));
  else if (data.tell === "take-over") scope.skipWaiting();
  else if (data.tell === "network") failed = data.isGood ? 0 : Date.now();
});

/**
 * Tell a page whether it may upgrade the phone's database: only if it is of this version, and the only page.
 * @param {ExtendableMessageEvent} event
 * @param {string} file the page's own migrations.
 */
async function answerMayUpgrade({ source, ports }, file) {
  const clients = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isAlone = clients.every(({ id }) => source && "id" in source && id === source.id);
  ports[0].postMessage({ may: isAlone && PRECACHED.has(file) });
}

// A page lets a new version take over. It says so over a channel, because a message would start this worker again.
new BroadcastChannel("tailgunner-update").addEventListener("message", () => waits.forEach((stop) => stop()));

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== scope.location.origin) return;
  if (PRECACHED.has(url.pathname)) event.respondWith(serveCached(url.pathname, request));
  else if (url.pathname.startsWith(STATIC) && isCrewPage(request)) event.respondWith(serveOtherVersion(url.pathname, request));
  else if (APP.pages.includes(url.pathname)) event.respondWith(servePage(url.pathname, request));
  else if (![CREW, ...OTHER_PATHS].some((path) => url.pathname.startsWith(path))) return;
  else if (SERVER_ONLY.some((path) => url.pathname.startsWith(path))) event.respondWith(askServerOnly(request));
  else if (request.headers.has(FORWARDED_TAP)) return;
  else if (request.method === "POST") event.respondWith(handlePost(event, url));
  else if (request.method === "GET") event.respondWith(handleGet(event, url));
});

// --- the precache ---

/** @param {ExtendableEvent & {addRoutes?: (routes: object[]) => Promise<void>}} event */
async function install(event) {
  await event.addRoutes?.(NETWORK_ONLY.map((urlPattern) => ({ condition: { urlPattern }, source: "network" })));
  const cache = await caches.open(CACHE);
  // Four at a time: with more, a phone with a weak signal would lose all of them.
  const waiting = [...APP.files, ...APP.pages];
  const fetchNext = async () => {
    for (let path = waiting.pop(); path; path = waiting.pop()) {
      if (!(await cache.match(path))) await cache.put(path, await fetchOurs(path));
    }
  };
  await Promise.all([1, 2, 3, 4].map(fetchNext));
}

/** @param {string} path */
async function fetchOurs(path) {
  const answer = await fetch(path, {
    cache: path.startsWith("/static/") ? "default" : "no-cache", credentials: "omit", headers: { "Accept-Language": APP.language },
  });
  // A proxy may serve static files without our header, but none of them is an HTML page.
  const isPage = (answer.headers.get("Content-Type") ?? "").startsWith("text/html");
  if (!answer.ok || answer.redirected || (isPage && !answer.headers.has(MARK))) throw new Error(`${path} cannot be fetched`);
  return answer;
}

// Only files are deleted here. Entries are in a database, which no version of this script touches.
async function activate() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("tailgunner-") && name !== CACHE).map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/** @param {string} path */
const find = async (path) => (await caches.open(CACHE)).match(path);

/**
 * @param {string} path
 * @param {Request} request
 */
const serveCached = async (path, request) => (await find(path)) ?? fetch(request);

/** @param {Request} request */
const isCrewPage = ({ referrer }) => Boolean(referrer) && new URL(referrer).pathname.startsWith(CREW);

/**
 * Serve a file of another version of the app, for a page that is older or newer than this worker. Without the server, the
 * file of the same name from this version takes its place.
 * @param {string} path
 * @param {Request} request
 */
async function serveOtherVersion(path, request) {
  const ours = APP.files.find((file) => dropHash(file) === dropHash(path));
  if (isServerUnreachable() && ours) return (await find(ours)) ?? fetch(request);
  const answer = await askForFile(request, ours ? PATIENT_TIMEOUT : MAX_TIMEOUT);
  return answer ?? (ours ? await find(ours) : null) ?? Response.error();
}

/**
 * @param {Request} request
 * @param {number} limit in milliseconds.
 */
async function askForFile(request, limit) {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(limit) });
    return answer.ok ? answer : null;
  } catch {
    return null;
  }
}

/**
 * Return the path of a static file without the hash of its content.
 * @param {string} path
 */
const dropHash = (path) => path.replace(/\.[0-9a-f]{12}(?=\.\w+$)/, "");

/**
 * @param {string} path
 * @param {Request} request
 */
async function servePage(path, request) {
  return (await askServer(request)) ?? (await find(path)) ?? Response.error();
}

// --- the server ---

const isServerUnreachable = () => !scope.navigator.onLine || Date.now() - failed < FAILURE_WINDOW;

/**
 * Fetch from the server; null if the server itself does not respond in time.
 * @param {Request} request
 * @param {number} [limit] in milliseconds.
 * @param {AbortSignal} [signal] says that the response is no longer needed.
 * @returns {Promise<Response | null>}
 */
async function askServer(request, limit = isServerUnreachable() ? SHORT_TIMEOUT : PATIENT_TIMEOUT, signal = undefined) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const timer = setTimeout(stop, limit);
  waits.add(stop);
  signal?.addEventListener("abort", stop);
  try {
    const answer = await fetch(request.url, {
      headers: request.headers, credentials: "same-origin", redirect: "follow", cache: "no-store", signal: controller.signal,
    });
    if (!answer.headers.has(MARK)) throw new Error("someone else answered");
    failed = 0;
    if (answer.status >= SERVER_UNAVAILABLE) return null;
    return request.mode === "navigate" && answer.redirected ? Response.redirect(answer.url) : answer;
  } catch {
    if (!signal?.aborted) failed = Date.now();
    return null;
  } finally {
    clearTimeout(timer);
    waits.delete(stop);
  }
}

/** @param {Request} request */
async function askServerOnly(request) {
  try {
    return await fetch(request);
  } catch (error) {
    // Switching changes nothing without signal, so the page that says so may take the place of its form.
    const isShown = request.method === "GET" || new URL(request.url).pathname === SWITCH;
    if (request.mode !== "navigate" || !isShown) throw error;
    return (await find(SHELL)) ?? Response.error();
  }
}

// --- the phone ---

/** @typedef {Partial<PageReply> & {client: Client}} ClientReply with the page that answered. */
/** @typedef {ClientReply & PageReply} KnownReply */

/**
 * Call the engine through an open page; null if no page can answer.
 * @param {FetchEvent} event
 * @param {DescribedRequest} described
 * @param {AskWhen} when
 * @returns {Promise<ClientReply | null>}
 */
async function askPhone(event, described, when) {
  if (!APP.hasEngine) return null;
  for (const client of await listClients(event)) {
    const reply = await askClient(client, { ...described, when });
    if (reply) return { ...reply, client };
  }
  return null;
}

/**
 * @param {ClientReply | null} reply
 * @returns {reply is KnownReply}
 */
const hasAnswer = (reply) => Boolean(reply?.status);

/**
 * @param {ClientReply | null} reply
 * @returns {reply is KnownReply} whether the phone's answer is as good as the server's.
 */
const isKnown = (reply) => hasAnswer(reply) && !reply.isUnable && !reply.isUnknown;

/** @param {FetchEvent} event */
async function listClients({ clientId }) {
  const all = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const pages = all.filter(({ url }) => new URL(url).pathname.startsWith(CREW));
  return pages.sort((one, other) => Number(other.id === clientId) - Number(one.id === clientId));
}

/**
 * @param {Client} client
 * @param {DescribedRequest & {when: AskWhen}} described
 * @returns {Promise<MessageThroughPort | null>}
 */
function askClient(client, described) {
  const timeout = described.isNavigation ? NAVIGATION_CLAIM_TIMEOUT : CLAIM_TIMEOUT;
  const isReplaceable = described.isNavigation && described.method === "GET"; // by the shell, which starts another engine
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    let watch = 0;
    const stop = () => end(null);
    let timer = setTimeout(stop, timeout);
    if (described.method === "GET") waits.add(stop);
    /** @param {MessageThroughPort | null} data */
    const end = (data) => {
      waits.delete(stop);
      clearTimeout(timer);
      clearInterval(watch);
      port1.close();
      resolve(data);
    };
    port1.onmessage = (message) => {
      /** @type {MessageThroughPort} */
      const data = message.data;
      clearTimeout(timer);
      if ((data.protocol ?? PROTOCOL) > PROTOCOL) {
        end(null);
        return;
      }
      if (!data.isTaken) {
        end(data.status || data.tap ? data : null);
        return;
      }
      // The reply comes when it is ready, unless the page is closed first or lets a new version take over, which it can
      // only once nothing waits.
      watch = setInterval(async () => { if (!(await scope.clients.get(client.id))) stop(); }, CLIENT_CHECK_INTERVAL);
      if (isReplaceable) timer = setTimeout(stop, NAVIGATION_REPLY_TIMEOUT);
    };
    client.postMessage(/** @satisfies {MessageToPage} */ ({ ask: "answer", protocol: PROTOCOL, ...described }), [port2]);
  });
}

/**
 * @param {Request} request
 * @param {URL} url
 * @returns {Promise<DescribedRequest>}
 */
async function describe(request, url) {
  const names = ["accept", "content-type", "hx-request", "hx-target", "hx-trigger", "hx-current-url", "hx-boosted"];
  const headers = Object.fromEntries(names.filter((name) => request.headers.has(name)).map((name) => [name, request.headers.get(name) ?? ""]));
  const body = request.method === "POST" ? await readForm(request) : "";
  if (body) headers["content-type"] = "application/x-www-form-urlencoded";
  const language = [null, APP.language].includes(request.headers.get(LANGUAGE_HEADER)) ? APP.language : undefined;
  return { method: request.method, path: `${url.pathname}${url.search}`, headers, body, language, isNavigation: request.mode === "navigate" };
}

/**
 * The engine parses only this kind of form; none of the crew's forms sends a file.
 * @param {Request} request
 */
async function readForm(request) {
  const fields = await request.clone().formData();
  return new URLSearchParams([...fields].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))).toString();
}

/**
 * @param {PageReply} reply
 * @param {Request} request
 * @param {"phone" | "away"} [from] the value of FROM_PHONE.
 */
async function makeResponse(reply, request, from = "phone") {
  const headers = new Headers(reply.headers);
  headers.set(FROM_PHONE, from);
  headers.set(MARK, "1");
  if (request.mode === "navigate") {
    const location = headers.get("Location");
    if (location && reply.status >= 300 && reply.status < 400) return Response.redirect(new URL(location, request.url), reply.status);
    const policy = (await find(SHELL))?.headers.get("Content-Security-Policy");
    if (policy) headers.set("Content-Security-Policy", policy);
  }
  return new Response(NO_BODY.has(reply.status) ? null : reply.body, { status: reply.status, headers });
}

// --- requests ---

/** @typedef {{reply?: ClientReply | null, answer?: Response}} FirstAnswer */

/**
 * Call the engine, and ask the server as well if that takes long. Return what comes first: the `reply` of the phone, or
 * the `answer` of the server if there is one.
 * @param {FetchEvent} event
 * @param {DescribedRequest} described
 * @returns {Promise<FirstAnswer>}
 */
async function askBoth(event, described) {
  /** @type {Promise<FirstAnswer>} */
  const phone = askPhone(event, described, "always").then((reply) => ({ reply }));
  const isSlow = new Promise((resolve) => { setTimeout(resolve, PHONE_TIMEOUT, true); });
  if (!(await Promise.race([phone.then(() => false), isSlow]))) return phone;
  const controller = new AbortController();
  const server = askServer(event.request, MAX_TIMEOUT, controller.signal).then((answer) => (answer ? { answer } : phone));
  const first = await Promise.race([phone, server]);
  if (!first.answer) controller.abort();
  return first;
}

/**
 * @param {FetchEvent} event
 * @param {URL} url
 */
async function handleGet(event, url) {
  const { request } = event;
  const described = await describe(request, url);
  const ahead = described.isNavigation ? null : await askPhone(event, described, "ahead");
  if (isKnown(ahead)) return makeResponse(ahead, request);
  if (!isServerUnreachable()) {
    const answer = await askServer(request);
    if (answer) {
      // Both the server and the phone store the chosen stop.
      if (url.pathname === CREW && url.searchParams.has("stop")) event.waitUntil(askPhone(event, described, "always"));
      return answer;
    }
  }
  const { reply = null, answer } = await askBoth(event, described);
  if (answer) return answer;
  if (isKnown(reply)) return makeResponse(reply, request, "away");
  if (!reply && described.isNavigation && APP.hasEngine) return (await find(SHELL)) ?? Response.error();
  const limit = reply && !reply.isUnable ? SHORT_TIMEOUT : MAX_TIMEOUT;
  return (await askServer(request, limit)) ?? (hasAnswer(reply) ? makeResponse(reply, request, "away") : Response.error());
}

/**
 * The page keeps a tap for the server until it receives this message.
 * @param {ClientReply | null} reply
 * @param {number} status
 */
function tellAnswered(reply, status) {
  if (reply?.tap) reply.client.postMessage(/** @satisfies {MessageToPage} */ ({ tell: "answered", tap: reply.tap, status }));
}

/**
 * @param {FetchEvent} event
 * @param {URL} url
 */
async function handlePost(event, url) {
  const { request } = event;
  const reply = await askPhone(event, await describe(request, url), "always");
  if (isKnown(reply) && url.pathname !== DICE_SET) return makeResponse(reply, request);
  let answer;
  try {
    answer = await fetch(request);
    if (request.mode !== "navigate" && !answer.headers.has(MARK)) throw new Error("someone else answered");
  } catch (error) {
    // A response would replace the form, and the user's input with it.
    if (!hasAnswer(reply) || reply.isUnknown) throw error;
    tellAnswered(reply, SHOWN);
    return makeResponse(reply, request, "away");
  }
  tellAnswered(reply, answer.status);
  // The server refuses a form that the phone rendered. The phone has stored the choice in it.
  const isRemembered = url.pathname === DICE_SET || reply?.isUnable;
  return isRemembered && hasAnswer(reply) && answer.status >= 400 ? makeResponse(reply, request) : answer;
}

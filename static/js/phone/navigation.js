// Navigates between crew pages without leaving the document, so that the engine, once started, keeps running. It
// fetches the whole page from the usual URL; the service worker decides who answers. The browser handles all other
// links and forms.

import { dropHash } from "./static_files.js";

const CREW = "/crew/";
const FULL_LOADS = ["/crew/join/", "/crew/switch/", "/crew/sign-out/"]; // these change the phone's owner, so the document is reloaded
const MARK = "X-Tailgunner";
const STYLE_TIMEOUT = 2_000; // milliseconds

/** @type {AbortController | null} */
let current = null; // of the navigation that is under way

export function listen() {
  document.addEventListener("click", onClick);
  document.addEventListener("submit", onSubmit);
  // Before htmx, which would fetch the same page again.
  window.addEventListener("popstate", (event) => {
    event.stopImmediatePropagation();
    go(location.href, { isBack: true });
  }, true);
  history.scrollRestoration = "auto";
  // What needs signal is tried again when it is back.
  document.addEventListener("phone:network", ({ detail }) => {
    if (detail.how === "ok" && document.querySelector("[data-needs-signal], [data-shell-empty]:not([hidden])")) go(location.href, { isBack: true });
  });
}

/** @param {URL} url */
const isOurs = (url) => url.origin === location.origin && url.pathname.startsWith(CREW) && !FULL_LOADS.some((path) => url.pathname.startsWith(path));

/** @param {DocumentEventMap["click"]} event */
function onClick(event) {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = /** @type {HTMLAnchorElement | null | undefined} */ (event.target.closest?.("a[href]"));
  if (!link || link.target || link.hasAttribute("download")) return;
  const url = new URL(link.href);
  if (!isOurs(url) || (url.hash && url.pathname === location.pathname && url.search === location.search)) return;
  event.preventDefault();
  go(url.href);
}

// For forms that htmx sends, the default is already prevented.
/** @param {DocumentEventMap["submit"]} event */
function onSubmit(event) {
  const form = event.target;
  if (event.defaultPrevented || form.matches("[hx-post], [hx-get]") || form.target) return;
  const action = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const url = new URL(action || location.href, location.href);
  if (!isOurs(url)) return;
  event.preventDefault();
  const fields = new URLSearchParams([...new FormData(form, event.submitter)].flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])));
  if (form.method === "post") go(url.href, { body: fields });
  else {
    url.search = fields.toString();
    go(url.href);
  }
}

/**
 * Navigate to the page at a URL.
 * @param {string} address
 * @param {{body?: URLSearchParams, isBack?: boolean, isRefresh?: boolean}} how `body` contains the fields of a form. A refresh,
 *   which nobody has asked for, closes no dialog, and if it fails the page stays as it is.
 */
export async function go(address, { body, isBack = false, isRefresh = false } = {}) {
  current?.abort();
  const controller = new AbortController();
  if (!body) current = controller; // navigating on does not cancel a form that is being sent
  document.body.ariaBusy = "true";
  try {
    const answer = await fetch(address, {
      method: body ? "POST" : "GET", body, headers: { Accept: "text/html" }, credentials: "same-origin", signal: controller.signal,
    });
    const type = answer.headers.get("Content-Type") ?? "";
    if (!type.startsWith("text/html") || !answer.headers.has(MARK)) throw new Error("not a page of this app");
    const path = answer.headers.get("X-Tailgunner-Path");
    const text = await answer.text();
    if (isRefresh && document.querySelector("dialog[open]")) return;
    await show(text, path ? new URL(path, location.origin).href : answer.url || address, { isBack, signal: controller.signal });
    const from = answer.headers.get("X-Tailgunner-From");
    document.dispatchEvent(new CustomEvent("phone:page", { detail: { isFromPhone: from === "away", isFromServer: !from } }));
  } catch {
    if (!controller.signal.aborted && !isRefresh) fail(address, body);
  } finally {
    if (!controller.signal.aborted) release(); // otherwise the navigation that took its place does so at its end
  }
}

function release() {
  document.body.ariaBusy = null;
  document.querySelectorAll("[data-once]").forEach((form) => { form.ariaBusy = null; });
}

/**
 * @param {string} address
 * @param {URLSearchParams} [body]
 */
function fail(address, body) {
  // Without a page to show, the browser's own error page is best. The input in a form stays where it is.
  if (!body) return location.assign(address);
  const notice = document.getElementById("not-sent");
  if (!notice) return undefined;
  notice.hidden = false;
  return notice.scrollIntoView({ block: "nearest" });
}

/**
 * Replace the current page with another.
 * @param {string} text the other page.
 * @param {string} address
 * @param {{isBack?: boolean, isReplacing?: boolean, signal?: AbortSignal}} [how] `signal` says that the user has navigated
 *   on meanwhile.
 */
export async function show(text, address, { isBack = false, isReplacing = false, signal } = {}) {
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!page.body.classList.contains("crew")) {
    if (isReplacing) throw new Error(page.title); // the same URL would lead here again
    return location.assign(address);
  }
  await addStyles(page);
  signal?.throwIfAborted();
  if (isReplacing || isBack || address === location.href) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll("dialog[open]")).forEach((dialog) => dialog.close()); // Back leaves them open, with a camera running
  document.title = page.title;
  document.body.className = page.body.className;
  const bar = document.getElementById("phone-bar");
  const fresh = page.getElementById("phone-bar");
  // The bar keeps its state, unless the page is in another language, which was chosen since this one was opened.
  if (bar && fresh && page.documentElement.lang === document.documentElement.lang) fresh.replaceWith(document.adoptNode(bar));
  [document.documentElement.lang, document.documentElement.dir] = [page.documentElement.lang, page.documentElement.dir];
  document.body.setAttribute("hx-headers", page.body.getAttribute("hx-headers") ?? "{}"); // names the language, too
  const scripts = [...page.querySelectorAll("script[src]")].map((script) => script.getAttribute("src") ?? "");
  page.querySelectorAll("script").forEach((script) => script.remove());
  document.body.replaceChildren(...[...page.body.childNodes].map((node) => document.adoptNode(node)));
  dropStyles(page);
  addScripts(scripts);
  window.htmx.process(document.body);
  if (!isBack) window.scrollTo(0, 0);
  focus();
  return undefined;
}

/**
 * @param {Document} page
 * @returns {HTMLLinkElement[]}
 */
const listStyles = (page) => [.../** @type {NodeListOf<HTMLLinkElement>} */ (page.querySelectorAll("head link[rel=stylesheet]"))];

// The same file of another version of the app is the same file: a script that ran twice would count each tap twice.
/** @param {HTMLLinkElement} link */
const getName = (link) => dropHash(link.getAttribute("href") ?? "");

/**
 * Load the new page's stylesheets before it is shown. The print stylesheet stays last, as on every page.
 * @param {Document} page
 */
async function addStyles(page) {
  const here = new Set(listStyles(document).map(getName));
  const last = document.querySelector("head link[media=print]");
  const added = listStyles(page).filter((link) => !here.has(getName(link))).map((link) => {
    const copy = document.importNode(link);
    if (last) last.before(copy);
    else document.head.append(copy);
    return new Promise((resolve) => {
      copy.onload = copy.onerror = resolve;
      setTimeout(resolve, STYLE_TIMEOUT); // better without a style than without a page
    });
  });
  await Promise.all(added);
}

/** @param {Document} page */
function dropStyles(page) {
  const wanted = new Set(listStyles(page).map(getName));
  listStyles(document).filter((link) => !wanted.has(getName(link))).forEach((link) => link.remove());
}

/** @param {string[]} sources */
function addScripts(sources) {
  const here = new Set([...document.querySelectorAll("script[src]")].map((script) => dropHash(script.getAttribute("src") ?? "")));
  for (const src of sources.filter((source) => !here.has(dropHash(source)))) {
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src }));
  }
}

function focus() {
  const wanted = document.querySelector(".error-summary, [data-focus]") ?? document.getElementById("main");
  if (!wanted) return;
  if (!wanted.matches("a[href], button, input, select, textarea, [tabindex]")) wanted.tabIndex = -1;
  wanted.focus({ preventScroll: wanted.id === "main" });
}

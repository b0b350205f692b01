// Brings a list up to date while somebody looks at it: when this phone has learnt something new of the ride, or has
// recorded what was tapped before. Only what a page marks with data-refreshes is replaced, and not while it is used.

const LIST = "[id][data-refreshes]";
const MARK = "X-Tailgunner";

let running = null;

export function listen() {
  for (const kind of ["phone:ride", "phone:judged"]) document.addEventListener(kind, refresh);
}

/** Fetch the page once more; one that is asked for meanwhile is fetched after it. */
function refresh() {
  running = (running ?? Promise.resolve()).then(replace).catch((error) => console.info("The list is not fetched:", error.message));
}

async function replace() {
  const shown = document.querySelector(LIST);
  if (!shown) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok || !answer.headers.has(MARK)) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(shown.id);
  if (!fresh || !shown.isConnected || isUsed(shown) || isSame(shown, fresh)) return;
  const place = shown.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  shown.replaceWith(document.adoptNode(fresh));
  window.htmx.process(fresh);
  if (place) fresh.querySelector(`a[href="${CSS.escape(place)}"]`)?.focus({ preventScroll: true });
  document.dispatchEvent(new CustomEvent("phone:list"));
}

const isUsed = (list) => [...list.querySelectorAll("input:not([type=hidden])")].some((input) => input === document.activeElement || input.value !== input.defaultValue);

function isSame(shown, fresh) {
  const bare = shown.cloneNode(true);
  bare.querySelectorAll("[data-bike-mark]").forEach((mark) => mark.remove()); // these are this phone's own
  return bare.isEqualNode(fresh);
}

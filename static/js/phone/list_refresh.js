// Refreshes the list on the current page when the phone's copy of the ride changes or an earlier tap has been recorded.
// Only the element with data-refreshes is replaced, and not while the user is using it.

const LIST = "[id][data-refreshes]";
const MARK = "X-Tailgunner";

let running = null;

export function listen() {
  for (const kind of ["phone:ride", "phone:judged"]) document.addEventListener(kind, refresh);
}

/** Fetch the page again; a refresh that is requested meanwhile runs afterwards. */
function refresh() {
  running = (running ?? Promise.resolve()).then(replace).catch((error) => console.info("The list is not refreshed:", error.message));
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
  bare.querySelectorAll("[data-bike-mark]").forEach((mark) => mark.remove()); // added by this phone
  return bare.isEqualNode(fresh);
}

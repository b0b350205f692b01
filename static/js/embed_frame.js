// In a page for frames: tells the page around it how high it is, and keeps it up to date. Not a module, because browsers
// load none in a frame with a sandbox. It asks without cookies, and the browser's cache asks with the last ETag.

(() => {
  const HEIGHT = "tailgunner:height";
  const MEASURE = "tailgunner:measure";
  const getFrame = () => document.getElementById("frame");

  function sendHeight() {
    if (window.parent === window) return;
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    window.parent.postMessage({ type: HEIGHT, height }, "*"); // to whatever site this is: a height is no secret
  }

  async function refresh() {
    const response = await fetch(location.href, { cache: "no-cache", credentials: "omit" });
    if (!response.ok && response.status !== 404 && response.status !== 410) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("frame");
    const frame = getFrame();
    if (!fresh || fresh.outerHTML === frame.outerHTML) return;
    const focused = document.activeElement?.getAttribute("href");
    frame.replaceWith(fresh);
    document.title = page.title;
    const link = [...fresh.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused);
    link?.focus({ preventScroll: true });
  }

  // A little earlier or later, so that the frames of a site do not all ask at once.
  function waitAndRefresh() {
    const seconds = Number(getFrame().dataset.poll) || 300;
    setTimeout(async () => {
      try {
        if (!document.hidden) await refresh();
      } catch { /* without signal: it tries again */ }
      waitAndRefresh();
    }, seconds * (900 + 200 * Math.random()));
  }

  window.addEventListener("message", ({ source, data }) => {
    if (source === window.parent && data?.type === MEASURE) sendHeight();
  });
  new ResizeObserver(sendHeight).observe(document.documentElement);
  waitAndRefresh();
})();

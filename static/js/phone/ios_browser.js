// Browsers on iPhones and iPads. An app that was installed there has its own storage and cookies, and opens no links: so a
// phone has to be joined inside the installed app.

/** Whether this is a browser on an iPhone or iPad, and not an installed app. iPads say that they are Macs. */
export function isIosBrowser() {
  const { userAgent, maxTouchPoints } = navigator;
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 0);
  return isIos && !matchMedia("(display-mode: standalone)").matches;
}

/** Show what a page says about installing first. */
export function start() {
  document.querySelectorAll("[data-install-first]").forEach((section) => { section.hidden = !isIosBrowser(); });
}

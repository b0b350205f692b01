// The service worker of notifications for spectators: shows what the server sends, and opens its page. It answers no
// requests, and has a scope without pages (/push/), so it cannot get in the way of the crew's (`phone/service_worker.js`).

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PATH = "/push/";
const ICON = "/static/img/icon-192.png"; // without the hash in its name it is served too

/** @typedef {{ title: string, body: string, url: string, topic: string, stop: string }} Message */

worker.addEventListener("install", () => { worker.skipWaiting(); });

worker.addEventListener("push", (event) => {
  if (!event.data) return;
  /** @type {Message} */
  const { title, body, url, topic, stop } = event.data.json();
  // The newest one about a bike takes the place of the one before.
  const options = { body, tag: topic, renotify: true, icon: ICON, data: { url, topic }, actions: [{ action: "stop", title: stop }] };
  event.waitUntil(worker.registration.showNotification(title, options));
});

worker.addEventListener("notificationclick", (event) => {
  const { url, topic } = event.notification.data;
  event.notification.close();
  event.waitUntil(event.action === "stop" ? endTopic(topic, url) : openPage(url));
});

worker.addEventListener("pushsubscriptionchange", (event) => {
  const { oldSubscription, newSubscription } = /** @type {PushSubscriptionChangeEvent} */ (event);
  if (oldSubscription) /** @type {ExtendableEvent} */ (event).waitUntil(moveSubscription(oldSubscription, newSubscription));
});

/** @param {string} url of the page to show: an open one, or a new one. */
async function openPage(url) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((one) => new URL(one.url).pathname === url);
  await (page ? page.focus() : worker.clients.openWindow(url));
}

/**
 * End what the notification is about. If that fails, the page with the switch opens.
 * @param {string} topic
 * @param {string} url
 */
async function endTopic(topic, url) {
  const subscription = await worker.registration.pushManager.getSubscription();
  try {
    if (!subscription) return;
    const answer = await post("stop", { endpoint: subscription.endpoint, topic });
    if ((await answer.json()).told.length === 0) await subscription.unsubscribe();
  } catch {
    await openPage(url);
  }
}

/**
 * @param {PushSubscription} before
 * @param {PushSubscription | null} after what the browser has subscribed already; Firefox leaves that to us.
 */
async function moveSubscription(before, after) {
  const subscription = after ?? await worker.registration.pushManager.subscribe(before.options);
  await post("move", { endpoint: before.endpoint, new: subscription });
}

/**
 * @param {string} what is asked, the end of the address.
 * @param {object} data
 */
async function post(what, data) {
  const answer = await fetch(PATH + what, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) });
  if (!answer.ok) throw new Error(`${what} was refused: ${answer.status}`);
  return answer;
}

// What a browser has and Node lacks, as far as the modules under test use it: a document, a database,
// localStorage, locks.

import "fake-indexeddb/auto";

const listening = globalThis.BroadcastChannel;

/** Unlike Node's, a channel that nobody closes does not keep the tests running. */
class Channel extends listening {
  constructor(name) {
    super(name);
    this.unref();
  }
}

/** Locks of a single page. */
class Locks {
  #held = new Set();

  async request(name, options, work = options) {
    if (this.#held.has(name)) return options.ifAvailable ? work(null) : new Promise((resolve) => { setImmediate(resolve); }).then(() => this.request(name, options, work));
    this.#held.add(name);
    try {
      return await work({ name });
    } finally {
      this.#held.delete(name);
    }
  }
}

/** What a page keeps in localStorage. */
class LocalStorage {
  #items = new Map();
  getItem(name) { return this.#items.get(name) ?? null; }
  setItem(name, value) { this.#items.set(name, String(value)); }
  removeItem(name) { this.#items.delete(name); }
}

/** What happens to the page: it is left, and shown again. */
export const page = new EventTarget();

const globals = {
  self: globalThis,
  window: globalThis,
  document: Object.assign(new EventTarget(), { cookie: "", hidden: false, documentElement: { lang: "en" } }),
  location: new URL("http://localhost/"),
  navigator: { locks: new Locks() },
  localStorage: new LocalStorage(),
  BroadcastChannel: Channel,
  addEventListener: page.addEventListener.bind(page),
};
for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

/** Delete everything in the phone's database. */
export async function clearDatabase() {
  const { open } = await import("../../static/js/phone/store.js");
  const db = await open();
  await Promise.all([...db.objectStoreNames].map((name) => db.clear(name)));
}

// The static files that this phone has stored. Their URLs contain a hash of their content, so those of another version of
// the app are others. Pages that the engine renders have to name the files of the version that the service worker has
// stored, whichever version the server was when it sent the ride: without signal there are no others.

const CACHES = "tailgunner-";
const STATIC = "/static/";

/**
 * Return the path of a static file without the hash of its content.
 * @param {string} path
 */
export const dropHash = (path) => path.replace(/\.[0-9a-f]{12}(?=\.\w+$)/, "");

/**
 * Return the URLs of static files by name: those that the service worker has stored, and the given ones for the rest.
 * @param {Record<string, string>} urls
 */
export async function useStoredFiles(urls) {
  const stored = await listStored();
  return { ...urls, ...Object.fromEntries(stored.map((path) => [dropHash(path).slice(STATIC.length), path])) };
}

async function listStored() {
  if (!globalThis.caches) return [];
  // A version that waits to take over has a cache as well, which was made later.
  const active = (await caches.keys()).find((name) => name.startsWith(CACHES));
  if (!active) return [];
  const files = await (await caches.open(active)).keys();
  return files.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith(STATIC));
}

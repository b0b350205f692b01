// A script of a crew page that another version of the app has loaded already must not run: both would handle each tap.
// The app of version 1.0.0 loads the scripts of newer pages into the document that it keeps; later ones do not.

import { dropHash } from "./phone/static_files.js";

/**
 * Return whether the document has a script of the same name from another version.
 * @param {string} url of the script that asks.
 */
export function isRepeated(url) {
  const { pathname } = new URL(url);
  return [...document.scripts].some(({ src }) => {
    const other = src && new URL(src).pathname;
    return other && other !== pathname && dropHash(other) === dropHash(pathname);
  });
}

/**
 * End the script that calls this as its first statement, if it is repeated.
 * @param {string} url of the script.
 */
export function endIfRepeated(url) {
  if (isRepeated(url)) throw new Error(`${url} ends, since another version of it runs on this page`);
}

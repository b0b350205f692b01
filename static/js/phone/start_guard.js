// Guards the phone against an engine that takes the page down with it, as on a phone with too little memory: a browser
// loads such a page again, which would start the engine again. After two starts that their pages did not survive, the
// engine is not started for a while, and the phone works without it.
//
// A start is on record in localStorage for as long as it goes on, since a page that dies writes nothing. So the starts
// of other windows count as well while they go on; without locks, which WebKit keeps for pages that were left.

import { Failure } from "./failure.js";

const FACT = "tailgunner-engine-starts"; // when each start began, by its id
const MAX_DEATHS = 2;
const FORGET_AFTER = 10 * 60_000; // milliseconds

let own = ""; // the id of this page's start

/**
 * Return the starts that have not ended.
 * @returns {[id: string, at: number][]}
 */
function listStarts() {
  /** @type {Record<string, number>} */
  const all = JSON.parse(localStorage.getItem(FACT) ?? "{}");
  return Object.entries(all).filter(([, at]) => Date.now() - at < FORGET_AFTER);
}

/** @param {[id: string, at: number][]} starts */
const write = (starts) => localStorage.setItem(FACT, JSON.stringify(Object.fromEntries(starts)));

/**
 * Start the engine, unless that has taken pages down twice.
 * @template T
 * @param {() => Promise<T>} start
 * @returns {Promise<T>}
 */
export async function guard(start) {
  forget();
  const before = listStarts();
  if (before.length >= MAX_DEATHS) throw new Failure("memory", "it has closed this page twice, perhaps because the phone has too little memory");
  own = crypto.randomUUID();
  write([...before, [own, Date.now()]]);
  return start().finally(forget);
}

/** This page has survived the start, or is left by its user. */
export function forget() {
  if (own) write(listStarts().filter(([id]) => id !== own));
  own = "";
}

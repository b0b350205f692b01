// Reads rows of this phone's copy of the ride. The rows of a model have no names; the part "columns" has them.

import { open } from "./store.js";

/** @typedef {Record<string, unknown>} RideRow */

/**
 * Return the rows of a part as objects.
 * @param {unknown[][]} [rows]
 * @param {string[]} [columns]
 * @returns {RideRow[]}
 */
export const nameColumns = (rows = [], columns = []) => rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));

/**
 * Return the number of a bike, or of a further sheet of one: "17", "17 (2)", "17/2".
 * @param {RideRow} bike
 */
export function labelBike({ number, suffix, sheet = 1 }) {
  const label = suffix === 1 ? String(number) : `${number} (${suffix})`;
  return sheet === 1 ? label : `${label}/${sheet}`;
}

/**
 * Return the rows of some models in one part of the copy, by the label of the model; no rows without a copy.
 * @param {string} part
 * @param {`${string}.${string}`[]} labels
 * @returns {Promise<RideRow[][]>}
 */
export async function readPart(part, ...labels) {
  const parts = (await open()).transaction("parts").objectStore("parts");
  const [found, fact] = await Promise.all([parts.get(part), parts.get("columns")]);
  return labels.map((label) => nameColumns(found?.[label], fact?.columns?.[label]));
}

/**
 * Return all rows of some models, from whichever parts.
 * @param {`${string}.${string}`[]} labels
 * @returns {Promise<RideRow[][]>}
 */
export async function readAll(...labels) {
  const parts = (await open()).transaction("parts").objectStore("parts");
  const [all, fact] = await Promise.all([parts.getAll(), parts.get("columns")]);
  return labels.map((label) => nameColumns(all.flatMap((part) => part[label] ?? []), fact?.columns?.[label]));
}

// Shows on the page whether each entry is pending, sent or needs attention: on the entry just made, and in the list of
// bikes.

import { cloneTemplate } from "./elements.js";
import { open } from "./store.js";

export function listen() {
  for (const kind of /** @type {const} */ (["phone:outbox", "phone:page", "phone:list", "htmx:afterSettle"])) document.addEventListener(kind, showMarks);
  showMarks();
}

async function showMarks() {
  const db = await open();
  const [waiting, attention] = await Promise.all(/** @type {const} */ (["waiting", "attention"]).map((state) => db.getAllFromIndex("operations", "state", state)));
  for (const line of document.querySelectorAll("[data-sync]")) {
    const operation = await db.getFromIndex("operations", "id", line.dataset.sync ?? "");
    if (operation) setState(line, operation.state);
  }
  for (const slot of document.querySelectorAll("[data-sync-of]")) {
    const operation = await db.getFromIndex("operations", "id", slot.dataset.syncOf ?? "");
    slot.replaceChildren(...(operation ? [makeMark(operation.state)] : []));
  }
  document.querySelectorAll(".bike-row [data-bike-mark]").forEach((line) => line.remove());
  for (const { state, body } of [...waiting, ...attention]) markRow(body?.bike, state);
}

/**
 * @param {string | undefined} bike
 * @param {OperationState} state
 */
function markRow(bike, state) {
  const row = bike ? document.querySelector(`.bike-row[href*="/crew/bikes/${bike}/"]`) : null;
  if (!row || row.querySelector("[data-bike-mark]")) return;
  const line = makeMark(state);
  line.dataset.bikeMark = "";
  row.append(line);
}

/** @param {OperationState} state */
function makeMark(state) {
  const line = cloneTemplate("sync-mark");
  setState(line, state);
  return line;
}

/**
 * @param {HTMLElement} line
 * @param {OperationState} state
 */
function setState(line, state) {
  const shown = state === "aside" ? "attention" : state;
  line.classList.remove("sync-line--sent", "sync-line--waiting", "sync-line--attention");
  line.classList.add(`sync-line--${shown}`);
}

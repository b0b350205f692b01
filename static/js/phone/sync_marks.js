// Shows on the page whether each entry is pending, sent or needs attention: on the entry just made, and in the list of
// bikes, where a row shows one stop and is marked only by what was entered for that stop.

import { cloneTemplate } from "./elements.js";
import { open } from "./store.js";

/** @type {Record<string, string>} the class of the rows that show entries about a bike itself, by the entry's kind. */
const CLASS_BY_KIND = { register_bike: "bike-row", retire: "bike-row--retired", did_not_start: "bike-row--did_not_start" };

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
  const entries = await Promise.all([...waiting, ...attention].map(async ({ state, body }) => ({ state, body, slots: await findSlots(db, body) })));
  document.querySelectorAll(".bike-row [data-bike-mark]").forEach((line) => line.remove());
  for (const { state, body, slots } of entries) if (body) markRow(body, slots, state);
}

/** @param {OperationBody} body */
const listTurns = ({ turn, targets = [] }) => [turn, ...targets.map((target) => target.turn)].flatMap((id) => id ?? []);

/**
 * Return the slots that an entry names, and those of the turns that it changes and this phone has recorded.
 * @param {Database} db
 * @param {OperationBody | null} body
 */
async function findSlots(db, body) {
  if (!body) return [];
  const recorded = await Promise.all(listTurns(body).map((turn) => db.getFromIndex("operations", "id", turn)));
  return [body.slot, ...recorded.map((operation) => operation?.body?.slot)].flatMap((slot) => slot ?? []);
}

/**
 * Return whether a row of the list shows what was entered: turns at its stop, or something about the bike itself.
 * @param {OperationBody} body
 * @param {string[]} slots of the entry.
 * @param {{slots: string[], turns: string[], classes: string[]}} row the slots of its stop, the turns that it shows, and its classes.
 */
export function isShownIn(body, slots, row) {
  if (body.kind && body.kind in CLASS_BY_KIND) return row.classes.includes(CLASS_BY_KIND[body.kind]);
  return slots.some((slot) => row.slots.includes(slot)) || listTurns(body).some((turn) => row.turns.includes(turn));
}

/**
 * @param {OperationBody} body
 * @param {string[]} slots
 * @param {OperationState} state
 */
function markRow(body, slots, state) {
  const row = body.bike ? document.querySelector(`.bike-row[href*="/crew/bikes/${body.bike}/"]`) : null;
  if (!row || row.querySelector("[data-bike-mark]")) return;
  const shown = { slots: readIds(row, "slots"), turns: readIds(row, "turns"), classes: [...row.classList] };
  if (!isShownIn(body, slots, shown)) return;
  const line = makeMark(state);
  line.dataset.bikeMark = "";
  row.append(line);
}

/**
 * @param {Element} row
 * @param {string} name of the data attribute, of the row's item or of the list.
 */
const readIds = (row, name) => row.closest(`[data-${name}]`)?.getAttribute(`data-${name}`)?.split(" ") ?? [];

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

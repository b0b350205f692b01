// The page on which turns are entered without the rules, if the engine does not run on this phone: bike, stop, and the
// turn. The entry is stored like any other, and the server judges it. The forms come from the games; the bikes and the
// stops are in this phone's copy of the ride.

import { getElement } from "./elements.js";
import { forgetEntries } from "./engine.js";
import { listEnteredTurns, storeOperations } from "./outbox.js";
import { getOwner } from "./owner.js";
import { labelBike, readAll } from "./ride_rows.js";
import { fillText } from "./text.js";

/** @typedef {{name: string, kind: "dice" | "draw" | "choice" | "number", single: boolean, low: number, high: number, values: (string | number)[]}} PlainField */
/** @typedef {{type: string, fields: PlainField[]}} PlainAction */

class Incomplete extends Error {}

const BOUNCE = 2_000; // milliseconds after an entry was stored, in which an empty form is a tap that bounced

/** @type {Ride | null} */
let ride = null;
let isSaving = false;
let savedAt = 0;
let isSlotChosen = false; // by hand, for this entry

/**
 * @typedef {object} Ride what the form is filled with.
 * @property {RideRow[]} contests of games that have a plain turn.
 * @property {RideRow[]} stops
 * @property {RideRow[]} slots
 * @property {RideRow[]} bikes by their numbers.
 * @property {RideRow[]} players
 * @property {Owner} [owner] whose ride it is; undefined if the phone belongs to someone else by now.
 * @property {unknown} group of the owner.
 * @property {unknown} lastSlot in which this phone recorded a turn last, or else anybody did.
 * @property {Set<string>} taken the slots that have a turn, with the bike: "slot bike".
 */
/** @typedef {import("./ride_rows.js").RideRow} RideRow */

const getPage = () => document.querySelector("[data-plain]");

export function listen() {
  document.addEventListener("submit", (event) => {
    const page = getPage();
    if (!page || !event.target.matches?.("[data-plain-form]")) return;
    event.preventDefault();
    if (isSaving || (Date.now() - savedAt < BOUNCE && !isBegun(getForm(page)))) return;
    isSaving = true;
    save(page)
      .catch((error) => {
        console.info("The turn is not saved:", error.message);
        complain(page, error instanceof Incomplete ? error.message : page.dataset.failed ?? "");
      })
      .finally(() => { isSaving = false; });
  }, true);
  document.addEventListener("change", ({ target }) => {
    const page = getPage();
    if (!page || !target.matches?.("[data-plain-form] *")) return;
    hideComplaint(page);
    if (target.matches?.("[name=contest]")) showContest(page);
    if (target.matches?.("[name=slot]")) isSlotChosen = true;
    if (target.matches?.("[name=bike]") && !isSlotChosen) proposeSlot(page);
  });
  for (const kind of /** @type {const} */ (["phone:page", "phone:ride"])) document.addEventListener(kind, render);
  render();
}

/** @param {HTMLElement} page */
const getForm = (page) => getElement(page, "[data-plain-form]", HTMLFormElement);

/**
 * @param {HTMLElement} page
 * @param {string} name
 */
const getSelect = (page, name) => getElement(page, `select[name=${name}]`, HTMLSelectElement);

/** Fill the form, unless someone has begun to use it. */
async function render() {
  const page = getPage();
  if (!page || !getForm(page).hidden) return;
  ride = await readRide(page);
  if (!page.isConnected || !ride.contests.length || !ride.owner) return;
  setOptions(getSelect(page, "contest"), ride.contests.map(({ id, name }) => [String(id), String(name)]));
  getElement(page, "label:has([name=contest])").hidden = ride.contests.length < 2;
  showContest(page);
  getForm(page).hidden = false;
  getElement(page, "[data-plain-empty]").hidden = true;
}

/**
 * @param {HTMLElement} page
 * @returns {Promise<Ride>}
 */
async function readRide(page) {
  const [owner, entered, [contests, stops, slots, bikes, sheets, players, crew, groups, seats, turns]] = await Promise.all([
    getOwner(), listEnteredTurns(),
    readAll("events.Contest", "stops.Stop", "stops.Slot", "bikes.Bike", "bikes.FurtherSheet", "players.Player", "crew.CrewMember", "crew.Group", "scorecards.Seat", "scorecards.Turn"),
  ]);
  const bikeOf = new Map(seats.map(({ card_id: card, bike_id: bike }) => [card, bike]));
  turns.sort((one, other) => String(one.recorded_at).localeCompare(String(other.recorded_at)));
  const member = crew.find(({ id }) => id === owner?.member);
  const isOwn = (/** @type {RideRow} */ { group_id: group }) => group === member?.group_id;
  const order = new Map(groups.map(({ id, ordinal }) => [id, Number(ordinal)]));
  const rolling = [...bikes, ...sheets].filter(({ merged_into_id: merged, did_not_start: isAbsent }) => !merged && !isAbsent);
  rolling.sort((one, other) => Number(isOwn(other)) - Number(isOwn(one))
    || (order.get(one.group_id) ?? 0) - (order.get(other.group_id) ?? 0)
    || String(one.number).localeCompare(String(other.number), document.documentElement.lang, { numeric: true }) || Number(one.suffix) - Number(other.suffix)
    || Number(one.sheet ?? 1) - Number(other.sheet ?? 1));
  return {
    contests: contests.filter((contest) => findTurn(page, contest) && slots.some((slot) => slot.contest_id === contest.id)),
    owner, stops, slots, bikes: rolling, players, group: member?.group_id, lastSlot: entered.at(-1)?.slot ?? turns.at(-1)?.slot_id,
    taken: new Set([
      ...turns.map((turn) => nameTurn(turn.slot_id, bikeOf.get(turn.card_id))),
      ...entered.map(({ slot, bike }) => nameTurn(slot, bike)),
    ]),
  };
}

/**
 * @param {unknown} slot
 * @param {unknown} bike
 */
const nameTurn = (slot, bike) => `${slot} ${bike}`;

/**
 * Return the part of the form for a contest's game.
 * @param {HTMLElement} page
 * @param {RideRow} contest
 */
const findTurn = (page, contest) => page.querySelector(`[data-plain-turn="${contest.game_key}"]`);

/**
 * @param {HTMLSelectElement} select
 * @param {(readonly [value: string, text: string])[]} options
 */
const setOptions = (select, options) => select.replaceChildren(...options.map(([value, text]) => new Option(text, value)));

/** @param {RideRow} bike */
function nameBike(bike) {
  const people = ride?.players.filter((player) => player.bike_id === (bike.sheet_of_id ?? bike.id)) ?? [];
  people.sort((one, other) => String(other.role).localeCompare(String(one.role))); // the rider before the passenger
  const names = people.map(({ name }) => name).join(", ");
  return `${labelBike(bike)} ${names}`.trim();
}

/**
 * List the bikes; a further sheet only in the contest where it plays.
 * @param {HTMLElement} page
 * @param {RideRow} contest
 */
function listBikes(page, contest) {
  const select = getSelect(page, "bike");
  const chosen = select.value;
  const bikes = ride?.bikes.filter(({ sheet_contest_id: only }) => !only || only === contest.id) ?? [];
  setOptions(select, [["", page.dataset.choose ?? ""], ...bikes.map((bike) => /** @type {const} */ ([String(bike.id), nameBike(bike)]))]);
  if (bikes.some(({ id }) => id === chosen)) select.value = chosen;
}

/** @param {HTMLElement} page */
function showContest(page) {
  const contest = ride?.contests.find(({ id }) => id === getSelect(page, "contest").value);
  if (!ride || !contest) return;
  listBikes(page, contest);
  const stops = new Map(ride.stops.map(({ id, name }) => [id, String(name)]));
  const slots = ride.slots.filter(({ contest_id: id }) => id === contest.id);
  slots.sort((one, other) => Number(one.ordinal) - Number(other.ordinal));
  setOptions(getSelect(page, "slot"), slots.map(({ id, ordinal, stop_id: stop }) => [
    String(id), fillText(page.dataset.place ?? "", { stop: stops.get(stop) ?? "", n: Number(ordinal) }),
  ]));
  proposeSlot(page);
  for (const turn of page.querySelectorAll("[data-plain-turn]")) {
    turn.hidden = turn !== findTurn(page, contest);
    /** @type {HTMLFieldSetElement} */ (turn).disabled = turn.hidden;
  }
}

/**
 * Choose the last stop at which anything was entered, or the next one at which the chosen bike has no turn yet.
 * @param {HTMLElement} page
 */
function proposeSlot(page) {
  const select = getSelect(page, "slot");
  const bike = getSelect(page, "bike").value;
  const slots = [...select.options].map(({ value }) => value);
  const last = Math.max(0, slots.indexOf(String(ride?.lastSlot)));
  const isFree = (/** @type {string} */ slot) => !ride?.taken.has(nameTurn(slot, bike));
  const proposed = [...slots.slice(last), ...slots.slice(0, last)].find(isFree) ?? slots[last];
  if (proposed) select.value = proposed;
}

/**
 * Store what was entered, and clear the form for the next bike.
 * @param {HTMLElement} page
 */
async function save(page) {
  const form = getForm(page);
  const typed = new FormData(form);
  const bike = ride?.bikes.find(({ id }) => id === typed.get("bike"));
  if (!ride?.owner || !bike) throw new Incomplete(page.dataset.noBike);
  const turn = getElement(form, "[data-plain-turn]:not([hidden])");
  /** @type {PlainAction[]} */
  const described = JSON.parse(turn.dataset.plainActions ?? "[]");
  const actions = described.map((action) => makeAction(action, typed, page.dataset.incomplete));
  const body = {
    id: crypto.randomUUID(), kind: "turn", contest: String(typed.get("contest")), bike: String(bike.id), slot: String(typed.get("slot")),
    actions, dice_set: null, takes_over: bike.group_id !== null && bike.group_id !== ride.group, reason: "",
  };
  const what = `${nameBike(bike)}, ${getSelect(page, "slot").selectedOptions[0]?.textContent ?? ""}: ${describe(form)}`;
  await storeOperations([body], { label: what, path: `/crew/bikes/${bike.id}/`, form: "", owner: ride.owner });
  forgetEntries();
  isSlotChosen = false;
  ride.lastSlot = body.slot;
  ride.taken.add(nameTurn(body.slot, body.bike));
  savedAt = Date.now();
  clear(form);
  say(page, fillText(page.dataset.saved ?? "", { what }));
}

/**
 * @param {PlainAction} action
 * @param {FormData} typed
 * @param {string} [message] for a field that is not complete.
 */
function makeAction({ type, fields }, typed, message) {
  const entries = fields.map(({ name, kind, single, low, high, values }) => {
    if (kind === "number") {
      const number = Number(typed.get(name) || NaN);
      if (!Number.isInteger(number) || number < low || number > high) throw new Incomplete(message);
      return [name, number];
    }
    const given = typed.getAll(name).map((text) => values.find((value) => String(value) === text));
    const isTapped = kind === "dice" || kind === "draw";
    if (given.length < (isTapped ? low : 1)) throw new Incomplete(message);
    return [name, isTapped && !single ? given : given[0]];
  });
  return { type, ...Object.fromEntries(entries) };
}

/**
 * Return the dice, the names of the cards, the choices and the numbers as they are shown.
 * @param {HTMLFormElement} form
 */
function describe(form) {
  const dice = [...form.querySelectorAll("[data-plain-turn]:not([hidden]) [data-dice-local] :is(.die__digit, .playing-card + .visually-hidden)")].map(({ textContent }) => textContent);
  const choices = [...form.querySelectorAll("[data-plain-turn]:not([hidden]) label:has(:checked)")].map(({ textContent }) => textContent?.trim());
  const numbers = listNumbers(form).map(({ value }) => value);
  return [dice.join(" "), ...choices, ...numbers].filter(Boolean).join(", ");
}

/** @param {HTMLFormElement} form */
const listNumbers = (form) => /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[data-plain-turn]:not([hidden]) input[data-plain-number]")]);

/**
 * Return whether someone has begun to fill in the form.
 * @param {HTMLFormElement} form
 */
const isBegun = (form) => Boolean(form.querySelector("[data-plain-turn]:not([hidden]) :is(button.place, input:checked)")) || listNumbers(form).some(({ value }) => value) || getElement(form, "[name=bike]", HTMLSelectElement).value !== "";

/** @param {HTMLFormElement} form */
function clear(form) {
  form.querySelectorAll("[data-plain-turn]:not([hidden]) button.place").forEach((die) => die.click());
  form.querySelectorAll("input:checked").forEach((input) => { /** @type {HTMLInputElement} */ (input).checked = false; });
  for (const input of listNumbers(form)) input.value = "";
  getElement(form, "[name=bike]", HTMLSelectElement).value = "";
}

/**
 * @param {HTMLElement} page
 * @param {string} text
 */
function say(page, text) {
  const line = getElement(page, "[data-plain-said]");
  line.textContent = text;
  line.hidden = false;
  delete line.dataset.complaint;
}

/**
 * Say what is missing, until somebody goes on filling in the form.
 * @param {HTMLElement} page
 * @param {string} text
 */
function complain(page, text) {
  say(page, text);
  getElement(page, "[data-plain-said]").dataset.complaint = "";
}

/** @param {HTMLElement} page */
function hideComplaint(page) {
  const line = getElement(page, "[data-plain-said]");
  if ("complaint" in line.dataset) line.hidden = true;
}

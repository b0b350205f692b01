// Puts an entry into words: whose bike it is about, what was entered, what became of it, and why.

import { getElement } from "./elements.js";
import { labelBike, readPart } from "./ride_rows.js";
import { fillText } from "./text.js";

const WALK_UP = "register_bike";
const SUBJECT_PATH = /^\/crew\/(bikes|tables)\/[0-9a-f-]{36}\//;
const BIKE_PATH = /^\/crew\/bikes\/([0-9a-f-]{36})\//;
const KNOWN_OUTCOMES = new Set(["conflict", "refused", "late", "review", "merged", "keep", "unsent", "unproven", "ended", "failed"]);

const getTexts = () => getElement(document, "#attention").dataset;

/**
 * Return whether an entry was made on the page of the bike or the table that is open, or on one below it.
 * @param {Operation} operation
 */
export function isAbout({ body, path }) {
  const here = location.pathname.match(SUBJECT_PATH)?.[0];
  return Boolean(here) && (path.startsWith(here ?? "") || here === `/crew/bikes/${body?.bike}/`);
}

/**
 * Return the bike and the riders of an entry, and what was entered.
 * @param {SettledOperation} operation
 */
export async function describeEntry({ body, label, path }) {
  const { walkUp = "", bike = "" } = getTexts();
  if (walkUp && body?.kind === WALK_UP) return fillText(walkUp, { number: body.number ?? "", riders: joinNames([body.rider, body.passenger]) });
  const found = await findBike(body?.bike ?? path.match(BIKE_PATH)?.[1]);
  const isNamed = !found || !bike || (found.names[0] ? label.includes(found.names[0]) : label.includes(found.number));
  return isNamed ? label : fillText(bike, { number: found.number, riders: joinNames(found.names), what: label });
}

/** @param {(string | undefined)[]} names */
const joinNames = (names) => names.filter(Boolean).join(", ");

/**
 * Return the number and the people of a bike, or of a further sheet of one, in this phone's copy of the ride, the rider first.
 * @param {string} [id]
 */
async function findBike(id) {
  if (!id) return undefined;
  const [[own], [sheet]] = await readPart(`bike:${id}`, "bikes.Bike", "bikes.FurtherSheet");
  const bike = own ?? sheet;
  if (!bike) return undefined;
  const [people] = await readPart(`bike:${bike.sheet_of_id ?? id}`, "players.Player");
  people.sort((one, other) => String(other.role).localeCompare(String(one.role)));
  return { number: labelBike(bike), names: people.map(({ name }) => String(name)) };
}

/**
 * Return what became of an entry that needs attention, and who decides.
 * @param {SettledOperation} operation
 */
export function describeOutcome({ decision, receipt }) {
  const { content } = getElement(document, "#attention-item", HTMLTemplateElement);
  const texts = getElement(content, "[data-item-outcome]").dataset;
  return texts[[decision ?? "", receipt.outcome].find((name) => KNOWN_OUTCOMES.has(name)) ?? "other"] ?? "";
}

// Searches the rows of an open leaderboard while someone types, without a request. The form works without this script.

import { getCell } from "./board_columns.js";
import { makeMatcher, MAX_SEARCHED } from "./search_text.js";
import { endIfRepeated } from "./repeated_script.js";

endIfRepeated(import.meta.url);

const MAX_FOUND = 20; // rows
const PAUSE = 700; // milliseconds after the last letter until the count is announced

/** @type {HTMLFormElement} */
const form = document.querySelector("[data-filters]");
/** @type {HTMLInputElement} */
const input = form.querySelector("#search-text");
/** @type {HTMLTemplateElement} */
const template = document.querySelector("#found-row");
const found = document.getElementById("found");
const none = document.getElementById("found-none");
const more = document.getElementById("found-more");
let timer = null;
let isTyped = false; // what the server found stays until someone types

/** @param {HTMLTableRowElement} row */
function readRow(row) {
  const name = getCell(row, "people"); // followed by a remark
  const text = name.querySelector("a") ?? name.firstChild;
  const number = getCell(row, "number")?.textContent.trim() ?? "";
  return { row, number, people: text?.nodeName === "SMALL" ? "" : text?.textContent.trim() ?? "" };
}

function search(isTold = false) {
  const text = input.value.trim();
  found.hidden = !text;
  if (!text) return;
  const match = makeMatcher(text);
  const rows = [...document.querySelectorAll("#board-rows > tr")].map(readRow);
  const matches = rows.map((one) => ({ ...one, rank: match(one.number, one.people) })).filter(({ rank }) => rank !== undefined);
  matches.sort((one, other) => one.rank - other.rank);
  const list = document.createElement("ul");
  list.className = "found__rows";
  list.setAttribute("role", "list");
  list.append(...matches.slice(0, MAX_FOUND).map(makeItem));
  document.getElementById("found-rows").replaceChildren(...(matches.length ? [list] : []));
  more.hidden = matches.length <= MAX_FOUND;
  document.getElementById("found-title").textContent = form.dataset.found.replace("{count}", String(matches.length));
  document.getElementById("found-shortened").hidden = [...text].length <= MAX_SEARCHED;
  none.hidden = matches.length > 0;
  none.textContent = form.dataset.none.replace("{text}", () => text);
  document.dispatchEvent(new CustomEvent("found:shown"));
  clearTimeout(timer);
  if (isTold) timer = setTimeout(() => announce(matches.length), PAUSE);
}

function announce(count) {
  const text = count ? document.getElementById("found-title").textContent : none.textContent;
  document.dispatchEvent(new CustomEvent("say", { detail: text.trim() }));
}

function makeItem({ row, number, people }) {
  /** @type {DocumentFragment} */
  const item = document.importNode(template.content, true);
  const id = row.id.replace("row-", "");
  item.querySelector("a").href = row.querySelector("a").href;
  item.querySelector("[data-rank-label]").textContent = getCell(row, "place").textContent;
  item.querySelector("[data-number]").textContent = number;
  item.querySelector("[data-people]").textContent = people;
  /** @type {HTMLFormElement} */
  const pin = item.querySelector("[data-pin-form]");
  pin.dataset.pinForm = id;
  pin.querySelector("[data-name]").textContent = ` (${number || people})`;
  pin.querySelector("button").value = id;
  return item;
}

document.addEventListener("input", ({ target }) => {
  if (target !== input) return;
  isTyped = true;
  search(true);
});
document.addEventListener("board:sorted", () => { if (isTyped && !found.hidden && !found.contains(document.activeElement)) search(); });
// What is typed is found already; a keyboard on the screen would cover it.
form.addEventListener("submit", (event) => {
  if (!isTyped) return;
  event.preventDefault();
  input.blur();
  found.focus();
});
found.querySelector("[data-clear]").addEventListener("click", (event) => {
  event.preventDefault();
  input.value = "";
  found.hidden = true;
  isTyped = true;
  input.focus();
  const address = new URL(location.href);
  address.searchParams.delete("q");
  history.replaceState(history.state, "", address);
});
if (document.activeElement === input && input.value) search();

// Messages from the organiser, at the top of every crew page until "Got it" is tapped.
//
// - They come with the copy of the ride, so also hours later and to a page that the phone answered itself. The server
//   puts those it knows into its own pages.
// - What was read is stored on this phone first, and sent when the server can be reached. It may be sent twice: the
//   server ignores what it knows. Nothing depends on it.

import { cloneTemplate, getElement } from "./elements.js";
import { getOwner } from "./owner.js";
import { getHead } from "./ride_copy.js";
import { nameColumns } from "./ride_rows.js";
import { getFact, open, setFact } from "./store.js";
import { fillText } from "./text.js";

const ADDRESS = "/api/v1/messages-read";
const MODEL = "crew.CrewMessage"; // the key of the part of the copy, and of its rows
const FACT = "messages read"; // the `device` that the phone was then, and for each message whether it is sent
const TIMEOUT = 30_000;

const getList = () => document.getElementById("crew-messages");
const listShown = () => [...document.querySelectorAll("#crew-messages > [data-message]")];

export function listen() {
  document.addEventListener("click", onClick, true); // before the button submits a form that the server rendered
  document.addEventListener("phone:ride", () => render({ isFresh: true }));
  document.addEventListener("phone:page", () => render());
  document.addEventListener("phone:network", ({ detail }) => { if (detail.how === "ok") send(); });
  return render();
}

/** @param {DocumentEventMap["click"]} event */
async function onClick(event) {
  const id = event.target.closest?.("[data-got-it]")?.closest("[data-message]")?.dataset.message;
  if (!id) return;
  event.preventDefault();
  await addRead({ [id]: false });
  await render();
  document.getElementById("main")?.focus({ preventScroll: true });
  await send();
}

/** Show what is unread. If the copy has just been refreshed, a message that it lacks was withdrawn. */
async function render({ isFresh = false } = {}) {
  const [messages, read] = await Promise.all([listMessages(), listRead()]);
  const list = getList();
  if (!list) return;
  /** @param {string} id */
  const isRead = (id) => id in read;
  const known = new Set(messages?.map(({ id }) => id));
  for (const item of listShown()) {
    const { message = "" } = item.dataset;
    if (isRead(message) || (isFresh && messages && !known.has(message))) item.remove();
  }
  const shown = new Set(listShown().map((item) => item.dataset.message));
  for (const message of messages ?? []) if (!isRead(message.id) && !shown.has(message.id)) add(list, message);
}

/**
 * @param {HTMLElement} list
 * @param {CrewMessage} message
 */
function add(list, { id, text }) {
  const item = cloneTemplate("crew-message");
  item.dataset.message = id;
  getElement(item, "[data-message-text]").textContent = text;
  list.append(item);
  document.dispatchEvent(new CustomEvent("say", { detail: fillText(list.dataset.said ?? "", { text }) }));
}

/**
 * Return what was read on this phone since it belongs to its owner.
 * @returns {Promise<Record<string, boolean>>}
 */
async function listRead() {
  const [fact, owner] = await Promise.all([getFact(FACT), getOwner()]);
  return fact && fact.device === owner?.device ? fact.ids : {};
}

/** @param {Record<string, boolean>} ids */
async function addRead(ids) {
  const [before, owner] = await Promise.all([listRead(), getOwner()]);
  await setFact(FACT, { device: owner?.device, ids: { ...before, ...ids } });
}

/**
 * Return the messages in this phone's copy of the ride, the oldest first; undefined without a copy.
 * @returns {Promise<CrewMessage[] | undefined>}
 */
async function listMessages() {
  if (!(await getHead())) return undefined;
  const parts = (await open()).transaction("parts").objectStore("parts");
  const [part, fact] = await Promise.all([parts.get(MODEL), parts.get("columns")]);
  const columns = fact?.columns?.[MODEL];
  const rows = part?.[MODEL];
  if (!rows || !columns) return undefined;
  const messages = /** @type {CrewMessage[]} */ (/** @type {unknown} */ (nameColumns(rows, columns)));
  return messages.sort((one, other) => one.sent_at.localeCompare(other.sent_at));
}

let isSending = false;

async function send() {
  const unsent = Object.entries(await listRead()).filter(([, isSent]) => !isSent).map(([id]) => id);
  if (!unsent.length || isSending) return;
  isSending = true;
  try {
    const answer = await fetch(ADDRESS, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ messages: unsent }),
      credentials: "same-origin",
      redirect: "error",
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (answer.ok && answer.headers.has("X-Tailgunner")) await addRead(Object.fromEntries(unsent.map((id) => [id, true])));
  } catch {
    // The next refresh of the copy sends it again.
  } finally {
    isSending = false;
  }
}

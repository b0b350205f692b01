// The page on which two phones swap entries, by codes on the screen or by a file.

import { getElement } from "../elements.js";
import { shareFile } from "../share_file.js";
import { InvalidBundle, makeFile, pack, readFile, unpack } from "./bundle.js";
import * as relayed from "./relayed.js";
import { scanCodes, showFrames } from "./codes.js";
import { collectEnvelopes } from "./export.js";
import { Assembler, split } from "./frames.js";
import { canSign } from "./signing.js";
import { fillText } from "../text.js";

const NO_CAMERA = new Set(["NotAllowedError", "NotFoundError", "NotReadableError"]);

// Everything below works on the page that it is given, which the user may have left meanwhile.
const getPage = () => document.querySelector("[data-swap]");

/**
 * @param {HTMLElement} page
 * @param {string} name
 */
const find = (page, name) => getElement(page, `[data-swap-${name}]`);

/** @param {HTMLElement} page */
const getField = (page) => getElement(page, "[data-swap-file]", HTMLInputElement);

export function listen() {
  document.addEventListener("click", ({ target }) => {
    const page = getPage();
    if (!page) return;
    if (target.closest?.("[data-swap-show]")) attempt(page, show);
    else if (target.closest?.("[data-swap-save]")) attempt(page, save);
    else if (target.closest?.("[data-swap-scan]")) attempt(page, receive);
    else if (target.closest?.("[data-swap-open]")) getField(page).click();
    else if (target.closest?.("[data-swap-retry]")) relayed.retry();
  });
  document.addEventListener("change", ({ target }) => {
    const page = getPage();
    if (page && target.matches?.("[data-swap-file]") && getField(page).files?.length) attempt(page, openFile);
  });
  for (const kind of /** @type {const} */ (["phone:page", "phone:relayed", "phone:ride"])) document.addEventListener(kind, render);
  render();
}

/**
 * @param {HTMLElement} page
 * @param {string} name
 * @param {Record<string, string | number>} [words]
 */
function formatText(page, name, words = {}) {
  const texts = page.dataset;
  return fillText((words.n === 1 && texts[`${name}One`]) || (texts[name] ?? ""), words);
}

/**
 * @param {HTMLElement} page
 * @param {string} text
 * @param {boolean} [isBad]
 */
function say(page, text, isBad = false) {
  const message = find(page, "message");
  message.textContent = text;
  message.classList.toggle("swap__message--bad", isBad);
  message.hidden = !text;
  message.scrollIntoView({ block: "nearest" });
}

/**
 * @param {HTMLElement} page
 * @param {(page: HTMLElement) => Promise<void>} work
 */
async function attempt(page, work) {
  say(page, "");
  try {
    if (!canSign()) throw new Error("this browser cannot sign");
    await work(page);
  } catch (error) {
    console.info("Not swapped:", error.name, error.message);
    say(page, formatText(page, classifyError(error)), true);
  }
}

/** @param {Error} error */
function classifyError(error) {
  if (NO_CAMERA.has(error.name)) return "camera";
  if (error instanceof InvalidBundle) return "unreadable";
  return canSign() ? "failed" : "unable";
}

/** @param {HTMLElement} page */
async function collectAll(page) {
  const content = await collectEnvelopes();
  if (content.envelopes.length === 0) {
    say(page, formatText(page, "nothing"));
    return null;
  }
  return { bytes: await pack(content), owner: content.owner, count: content.envelopes.length };
}

/** @param {HTMLElement} page */
async function show(page) {
  const all = await collectAll(page);
  if (!all) return;
  const frames = await split(all.bytes);
  const dialog = getElement(page, "#swap-codes", HTMLDialogElement);
  getElement(dialog, "[data-codes-count]").textContent = formatText(page, "count", { n: all.count });
  dialog.showModal();
  const place = getElement(dialog, "[data-codes-place]");
  await showFrames(getElement(dialog, "canvas", HTMLCanvasElement), frames, () => dialog.open, (at) => {
    place.textContent = formatText(page, "place", { n: at + 1, total: frames.length });
  });
}

/** @param {HTMLElement} page */
async function receive(page) {
  const dialog = getElement(page, "#swap-camera", HTMLDialogElement);
  const bar = getElement(dialog, "progress", HTMLProgressElement);
  const progress = getElement(dialog, "[data-camera-progress]");
  const frames = new Assembler();
  progress.textContent = "";
  bar.value = 0;
  dialog.showModal();
  try {
    await scanCodes(getElement(dialog, "video", HTMLVideoElement), () => dialog.open, async (data) => {
      if (!frames.add(data)) return;
      bar.max = frames.total;
      bar.value = frames.have;
      progress.textContent = formatText(page, "progress", { n: frames.have, total: frames.total });
      const bytes = frames.isWhole && await frames.join();
      if (bytes) {
        dialog.close();
        await importBundle(page, bytes);
      }
    });
  } finally {
    dialog.close();
  }
}

/** @param {HTMLElement} page */
async function save(page) {
  const all = await collectAll(page);
  if (!all) return;
  const name = all.owner.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase() || "phone";
  const file = makeFile(all.bytes, `tailgunner-${name}.txt`);
  if (await shareFile(file)) say(page, formatText(page, "saved", { n: all.count, file: file.name }));
}

/** @param {HTMLElement} page */
async function openFile(page) {
  const field = getField(page);
  try {
    for (const file of field.files ?? []) await importBundle(page, await readFile(file));
  } finally {
    field.value = ""; // so that the same file can be chosen again
  }
}

/**
 * @param {HTMLElement} page
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function importBundle(page, bytes) {
  const { taken, known } = await relayed.storeEnvelopes(await unpack(bytes));
  const lines = Object.entries(taken).map(([name, n]) => formatText(page, "taken", { name: name || formatText(page, "somebody"), n }));
  if (known) lines.push(formatText(page, "known", { n: known }));
  say(page, lines.join(" ") || formatText(page, "known", { n: 0 }));
}

async function render() {
  const page = getPage();
  if (!page) return;
  find(page, "supported").hidden = false;
  const rows = await relayed.list();
  /** @type {Map<string, Relayed[]>} */
  const owners = new Map();
  for (const row of rows) owners.set(group(row), [...(owners.get(group(row)) ?? []), row]);
  find(page, "list").replaceChildren(...[...owners.values()].map((of) => makeLine(page, of)));
  find(page, "relayed").hidden = rows.length === 0;
  find(page, "retry").hidden = !rows.some(({ state }) => state === "stopped");
}

/** @param {Relayed} row */
const group = ({ device, state }) => `${device} ${state}`;

/**
 * @param {HTMLElement} page
 * @param {Relayed[]} rows of one owner in one state.
 */
function makeLine(page, rows) {
  const [{ from, state, receipt }] = rows;
  const line = document.createElement("li");
  const problem = state === "stopped" ? ` ${receipt?.problems?.[0]?.message ?? ""}` : "";
  line.textContent = formatText(page, state, { name: from || formatText(page, "somebody"), n: rows.length }) + problem;
  line.className = `swap__phone swap__phone--${state}`;
  return line;
}

// The page on which two phones swap entries, by codes on the screen or by a file.

import { shareFile } from "../share_file.js";
import { InvalidBundle, makeFile, pack, readFile, unpack } from "./bundle.js";
import * as relayed from "./relayed.js";
import { scanCodes, showFrames } from "./codes.js";
import { collectEnvelopes } from "./export.js";
import { Assembler, split } from "./frames.js";
import { canSign } from "./signing.js";

const NO_CAMERA = new Set(["NotAllowedError", "NotFoundError", "NotReadableError"]);

// Everything below works on the page that it is given, which the user may have left meanwhile.
const getPage = () => document.querySelector("[data-swap]");
const find = (page, name) => page.querySelector(`[data-swap-${name}]`);

export function listen() {
  document.addEventListener("click", ({ target }) => {
    const page = getPage();
    if (!page) return;
    if (target.closest?.("[data-swap-show]")) attempt(page, show);
    else if (target.closest?.("[data-swap-save]")) attempt(page, save);
    else if (target.closest?.("[data-swap-scan]")) attempt(page, receive);
    else if (target.closest?.("[data-swap-open]")) find(page, "file").click();
    else if (target.closest?.("[data-swap-retry]")) relayed.retry();
  });
  document.addEventListener("change", ({ target }) => {
    if (target.matches?.("[data-swap-file]") && target.files[0]) attempt(getPage(), openFile);
  });
  for (const kind of ["phone:page", "phone:relayed", "phone:ride"]) document.addEventListener(kind, render);
  render();
}

function formatText(page, name, words = {}) {
  const texts = page.dataset;
  const text = (words.n === 1 && texts[`${name}One`]) || texts[name];
  return Object.entries(words).reduce((all, [key, value]) => all.replaceAll(`{${key}}`, value), text);
}

function say(page, text, isBad = false) {
  const message = find(page, "message");
  message.textContent = text;
  message.classList.toggle("swap__message--bad", isBad);
  message.hidden = !text;
  message.scrollIntoView({ block: "nearest" });
}

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

function classifyError(error) {
  if (NO_CAMERA.has(error.name)) return "camera";
  if (error instanceof InvalidBundle) return "unreadable";
  return canSign() ? "failed" : "unable";
}

async function collectAll(page) {
  const content = await collectEnvelopes();
  if (content.envelopes.length === 0) {
    say(page, formatText(page, "nothing"));
    return null;
  }
  return { bytes: await pack(content), owner: content.owner, count: content.envelopes.length };
}

async function show(page) {
  const all = await collectAll(page);
  if (!all) return;
  const frames = await split(all.bytes);
  const dialog = page.querySelector("#swap-codes");
  dialog.querySelector("[data-codes-count]").textContent = formatText(page, "count", { n: all.count });
  dialog.showModal();
  const place = dialog.querySelector("[data-codes-place]");
  await showFrames(dialog.querySelector("canvas"), frames, () => dialog.open, (at) => {
    place.textContent = formatText(page, "place", { n: at + 1, total: frames.length });
  });
}

async function receive(page) {
  const dialog = page.querySelector("#swap-camera");
  const [bar, progress] = [dialog.querySelector("progress"), dialog.querySelector("[data-camera-progress]")];
  const frames = new Assembler();
  progress.textContent = "";
  bar.value = 0;
  dialog.showModal();
  try {
    await scanCodes(dialog.querySelector("video"), page.dataset.decoder, () => dialog.open, async (data) => {
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

async function save(page) {
  const all = await collectAll(page);
  if (!all) return;
  const name = all.owner.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase() || "phone";
  const file = makeFile(all.bytes, `tailgunner-${name}.txt`);
  if (await shareFile(file)) say(page, formatText(page, "saved", { n: all.count, file: file.name }));
}

async function openFile(page) {
  const field = find(page, "file");
  try {
    await importBundle(page, await readFile(field.files[0]));
  } finally {
    field.value = ""; // so that the same file can be chosen again
  }
}

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
  const owners = Map.groupBy ? Map.groupBy(rows, group) : rows.reduce((all, row) => all.set(group(row), [...(all.get(group(row)) ?? []), row]), new Map());
  find(page, "list").replaceChildren(...[...owners.values()].map((of) => makeLine(page, of)));
  find(page, "relayed").hidden = rows.length === 0;
  find(page, "retry").hidden = !rows.some(({ state }) => state === "stopped");
}

const group = ({ device, state }) => `${device} ${state}`;

function makeLine(page, rows) {
  const [{ from, state, receipt }] = rows;
  const line = document.createElement("li");
  const problem = state === "stopped" ? ` ${receipt?.problems?.[0]?.message ?? ""}` : "";
  line.textContent = formatText(page, state, { name: from || formatText(page, "somebody"), n: rows.length }) + problem;
  line.className = `swap__phone swap__phone--${state}`;
  return line;
}

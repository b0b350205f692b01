// The page on which two phones swap entries, by codes on the screen or by a file.

import { shareFile } from "../share_file.js";
import { InvalidBundle, makeFile, pack, readFile, unpack } from "./bundle.js";
import * as relayed from "./relayed.js";
import { scanCodes, showFrames } from "./codes.js";
import { collectEnvelopes } from "./export.js";
import { Assembler, split } from "./frames.js";
import { canSign } from "./signing.js";

const NO_CAMERA = new Set(["NotAllowedError", "NotFoundError", "NotReadableError"]);

const find = (name) => document.querySelector(`[data-swap-${name}]`);
const getPage = () => document.querySelector("[data-swap]");

export function listen() {
  document.addEventListener("click", ({ target }) => {
    if (!getPage()) return;
    if (target.closest?.("[data-swap-show]")) attempt(show);
    else if (target.closest?.("[data-swap-save]")) attempt(save);
    else if (target.closest?.("[data-swap-scan]")) attempt(receive);
    else if (target.closest?.("[data-swap-open]")) find("file").click();
    else if (target.closest?.("[data-swap-retry]")) relayed.retry();
  });
  document.addEventListener("change", ({ target }) => {
    if (target.matches?.("[data-swap-file]") && target.files[0]) attempt(() => openFile(target));
  });
  for (const kind of ["phone:page", "phone:relayed", "phone:ride"]) document.addEventListener(kind, render);
  render();
}

function formatText(name, words = {}) {
  const texts = getPage().dataset;
  const text = (words.n === 1 && texts[`${name}One`]) || texts[name];
  return Object.entries(words).reduce((all, [key, value]) => all.replaceAll(`{${key}}`, value), text);
}

function say(text, isBad = false) {
  const message = find("message");
  message.textContent = text;
  message.classList.toggle("swap__message--bad", isBad);
  message.hidden = !text;
  message.scrollIntoView({ block: "nearest" });
}

async function attempt(work) {
  say("");
  try {
    if (!canSign()) throw new Error("this browser cannot sign");
    await work();
  } catch (error) {
    console.info("Not swapped:", error.name, error.message);
    say(formatText(classifyError(error)), true);
  }
}

function classifyError(error) {
  if (NO_CAMERA.has(error.name)) return "camera";
  if (error instanceof InvalidBundle) return "unreadable";
  return canSign() ? "failed" : "unable";
}

async function collectAll() {
  const content = await collectEnvelopes();
  if (content.envelopes.length === 0) {
    say(formatText("nothing"));
    return null;
  }
  return { bytes: await pack(content), owner: content.owner, count: content.envelopes.length };
}

async function show() {
  const all = await collectAll();
  if (!all) return;
  const frames = await split(all.bytes);
  const dialog = document.getElementById("swap-codes");
  dialog.querySelector("[data-codes-count]").textContent = formatText("count", { n: all.count });
  dialog.showModal();
  const place = dialog.querySelector("[data-codes-place]");
  await showFrames(dialog.querySelector("canvas"), frames, () => dialog.open, (at) => {
    place.textContent = formatText("place", { n: at + 1, total: frames.length });
  });
}

async function receive() {
  const dialog = document.getElementById("swap-camera");
  const [bar, progress] = [dialog.querySelector("progress"), dialog.querySelector("[data-camera-progress]")];
  const frames = new Assembler();
  progress.textContent = "";
  bar.value = 0;
  dialog.showModal();
  try {
    await scanCodes(dialog.querySelector("video"), getPage().dataset.decoder, () => dialog.open, async (data) => {
      if (!frames.add(data)) return;
      bar.max = frames.total;
      bar.value = frames.have;
      progress.textContent = formatText("progress", { n: frames.have, total: frames.total });
      const bytes = frames.isWhole && await frames.join();
      if (bytes) {
        dialog.close();
        await importBundle(bytes);
      }
    });
  } finally {
    dialog.close();
  }
}

async function save() {
  const all = await collectAll();
  if (!all) return;
  const name = all.owner.replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase() || "phone";
  const file = makeFile(all.bytes, `tailgunner-${name}.txt`);
  if (await shareFile(file)) say(formatText("saved", { n: all.count, file: file.name }));
}

async function openFile(field) {
  const [file] = field.files;
  try {
    await importBundle(await readFile(file));
  } finally {
    field.value = ""; // so that the same file can be chosen again
  }
}

async function importBundle(bytes) {
  const { taken, known } = await relayed.storeEnvelopes(await unpack(bytes));
  const lines = Object.entries(taken).map(([name, n]) => formatText("taken", { name: name || formatText("somebody"), n }));
  if (known) lines.push(formatText("known", { n: known }));
  say(lines.join(" ") || formatText("known", { n: 0 }));
}

async function render() {
  const page = getPage();
  if (!page) return;
  find("supported").hidden = false;
  const rows = await relayed.list();
  const owners = Map.groupBy ? Map.groupBy(rows, group) : rows.reduce((all, row) => all.set(group(row), [...(all.get(group(row)) ?? []), row]), new Map());
  find("list").replaceChildren(...[...owners.values()].map(makeLine));
  find("relayed").hidden = rows.length === 0;
  find("retry").hidden = !rows.some(({ state }) => state === "stopped");
}

const group = ({ device, state }) => `${device} ${state}`;

function makeLine(rows) {
  const [{ from, state, receipt }] = rows;
  const line = document.createElement("li");
  const problem = state === "stopped" ? ` ${receipt?.problems?.[0]?.message ?? ""}` : "";
  line.textContent = formatText(state, { name: from || formatText("somebody"), n: rows.length }) + problem;
  line.className = `swap__phone swap__phone--${state}`;
  return line;
}

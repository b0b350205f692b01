// Saves half-entered turns, so that they survive if the browser is killed: every tap on a form that records something
// is saved, and restored when the page is opened again. Such a form holds its state in its fields. A URL with the same
// fields opens the page with them, as for Undo.

import { open } from "./store.js";

const FORMS = "form#card, form#entry";
const OMITTED_FIELDS = new Set(["csrfmiddlewaretoken"]);
const INPUT_FIELD = /^(held|dice)$|:/; // a die in its place, or a field of an action at a table
const CLEARED_FIELD = "cleared";
const MAX_AGE = 24 * 60 * 60 * 1000;

let restoring = "";
let shown = ""; // the fields of the form when it began to be restored

export function listen() {
  // Input that was entered while the draft was being restored is newer.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const form = getForm();
    if (restoring && form && detail.requestConfig?.verb === "get" && detail.requestConfig.elt === form && dump(readFields(form)) !== shown) detail.shouldSwap = false;
  });
  for (const kind of /** @type {const} */ (["dice", "change", "htmx:afterSettle"])) document.addEventListener(kind, saveDraft);
  document.addEventListener("phone:recorded", deleteDrafts);
  document.addEventListener("phone:page", restore);
  document.addEventListener("htmx:afterSwap", ({ target }) => { if (!document.querySelector(FORMS) && target.isConnected) deleteDrafts(); });
}

/** @returns {HTMLFormElement | null} */
const getForm = () => document.querySelector(FORMS);

/** @param {HTMLFormElement} form */
function readFields(form) {
  return [...new FormData(form)].flatMap(([name, value]) => (
    OMITTED_FIELDS.has(name) || typeof value !== "string" ? [] : [/** @type {[string, string]} */ ([name, value])]
  ));
}

/** @param {Draft["fields"]} fields */
function hasInput(fields) {
  const actions = fields.find(([name]) => name === "actions")?.[1] ?? "";
  return (actions !== "" && actions !== "[]") || fields.some(([name, value]) => INPUT_FIELD.test(name) && value !== "");
}

/** @param {Draft["fields"]} fields */
const listInput = (fields) => fields.filter(([name, value]) => name === "actions" || (INPUT_FIELD.test(name) && value !== ""));

/** @param {Draft["fields"]} fields */
const dump = (fields) => JSON.stringify(fields);

/** Return whether the user has begun an entry on this page. */
export function hasDraft() {
  const form = getForm();
  return form !== null && hasInput(readFields(form));
}

// A scorecard has one form for each of its turns; a table has one form.
/** @param {Draft["fields"]} fields */
function getKey(fields) {
  const { contest, slot } = Object.fromEntries(fields);
  return [location.pathname, contest, slot].filter(Boolean).join(" ");
}

async function saveDraft() {
  const form = getForm();
  if (!form || restoring) return;
  const fields = readFields(form);
  const db = await open();
  // An empty draft says that the dice were removed which the page may still have from Undo.
  if (hasInput(fields) || await db.getKey("drafts", getKey(fields))) await db.put("drafts", { place: getKey(fields), path: location.pathname, fields, kept: Date.now() });
}

async function deleteDrafts() {
  const db = await open();
  const all = await db.getAll("drafts");
  await Promise.all(all.filter(({ path }) => path === location.pathname).map(({ place }) => db.delete("drafts", place)));
}

/** Restore the entry that was begun on this page. What the phone has is newer than what Undo has left on the page. */
export async function restore() {
  const form = getForm();
  if (!form || hasInput([...new URLSearchParams(location.search)])) return;
  const fields = readFields(form);
  if (hasInput(fields) && !fields.some(([name]) => name === "slot")) return; // a table's: Undo leaves nothing there
  const place = getKey(fields);
  const draft = await (await open()).get("drafts", place);
  if (!draft || Date.now() - draft.kept > MAX_AGE || dump(listInput(draft.fields)) === dump(listInput(fields))) return;
  const isCleared = !hasInput(draft.fields);
  if (isCleared && !hasInput(fields)) return;
  restoring = place;
  shown = dump(fields);
  try {
    await load(form, isCleared ? [...draft.fields, [CLEARED_FIELD, "1"]] : draft.fields);
  } finally {
    restoring = "";
  }
}

/** Load the form again, with what the user has entered. */
export async function reload() {
  const form = getForm();
  if (form) await load(form, readFields(form));
}

/**
 * @param {HTMLFormElement} form
 * @param {Draft["fields"]} fields
 */
async function load(form, fields) {
  const target = form.getAttribute("hx-target");
  await window.htmx.ajax("GET", `${location.pathname}?${new URLSearchParams(fields)}`, { source: form, target, swap: "outerHTML show:none" });
}

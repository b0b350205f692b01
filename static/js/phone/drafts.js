// A turn that is half entered survives a browser that is killed: every tap on a form that notes something is kept, and
// put back when its page is opened again. Such a form tells its state in its fields; an address with the same fields
// opens the page with them, as for Undo.

import { open } from "./store.js";

const FORMS = "form#card, form#entry";
const LEFT_OUT = new Set(["csrfmiddlewaretoken"]);
const BEGUN = /^(held|dice)$|:/; // a die in its place, or a field of an action at a table
const OLDEST = 24 * 60 * 60 * 1000;

let restoring = "";

export function listen() {
  // What was tapped while the draft was on its way is newer.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (restoring && detail.requestConfig?.verb === "get" && detail.requestConfig.elt === getForm() && hasBegun()) detail.shouldSwap = false;
  });
  for (const kind of ["dice", "change", "htmx:afterSettle"]) document.addEventListener(kind, keep);
  document.addEventListener("phone:noted", forget);
  document.addEventListener("phone:page", restore);
  document.addEventListener("htmx:afterSwap", ({ target }) => { if (!document.querySelector(FORMS) && target.isConnected) forget(); });
}

const getForm = () => document.querySelector(FORMS);

function readFields(form) {
  return [...new FormData(form)].filter(([name, value]) => !LEFT_OUT.has(name) && typeof value === "string");
}

function isBegun(fields) {
  const actions = fields.find(([name]) => name === "actions")?.[1] ?? "";
  return (actions && actions !== "[]") || fields.some(([name, value]) => BEGUN.test(name) && value !== "");
}

/** Whether a note has been begun on the page that is shown. */
export function hasBegun() {
  const form = getForm();
  return Boolean(form) && isBegun(readFields(form));
}

// A card has one form for each of its turns; a table has one.
function getPlace(fields) {
  const { contest, slot } = Object.fromEntries(fields);
  return [location.pathname, contest, slot].filter(Boolean).join(" ");
}

async function keep() {
  const form = getForm();
  if (!form || restoring) return;
  const fields = readFields(form);
  const db = await open();
  if (isBegun(fields)) await db.put("drafts", { place: getPlace(fields), path: location.pathname, fields, kept: Date.now() });
  else await db.delete("drafts", getPlace(fields));
}

async function forget() {
  const db = await open();
  const all = await db.getAll("drafts");
  await Promise.all(all.filter(({ path }) => path === location.pathname).map(({ place }) => db.delete("drafts", place)));
}

/** Put back what had been begun on this page. */
export async function restore() {
  const form = getForm();
  if (!form || hasBegun()) return;
  const place = getPlace(readFields(form));
  const draft = await (await open()).get("drafts", place);
  if (!draft || Date.now() - draft.kept > OLDEST) return;
  restoring = place;
  try {
    const target = form.getAttribute("hx-target");
    await window.htmx.ajax("GET", `${location.pathname}?${new URLSearchParams(draft.fields)}`, { source: form, target, swap: "outerHTML show:none" });
  } finally {
    restoring = "";
  }
}

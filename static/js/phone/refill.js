// Opens the form of an entry that was not accepted, with everything that was typed into it.
//
// A turn, an action at a table, and what a correction or a void is about are in the URL of their page, which restores
// them. The fields that people see in any other form, and the reason, are filled in here.

import { go } from "./navigation.js";

const TURN = "turn";
const TABLE = "/crew/tables/";
const OMITTED_FIELDS = new Set(["csrfmiddlewaretoken", "operation"]);
const TABLE_FIELD = /:/; // a field of an action: the name of the action, then of the field
const CHANGE_PATH = /^\/crew\/(bikes|tables)\/[^/]+\/(correct|void|move)\//;
// What a page that changes an entry makes anew, and what it asks again: how the entry is now, the reason, and to save.
const ASKED_AGAIN = ["seq", "seen", "reason", "tapped", "save", "void", "void_all", "to_bike"];
const WALK_UP = "register_bike";

/**
 * Return what a form contained, without what is new in each form.
 * @param {string} form form-encoded.
 */
export function readTyped(form) {
  const fields = [...new URLSearchParams(form)].filter(([name]) => !OMITTED_FIELDS.has(name));
  return new URLSearchParams(fields).toString();
}

/**
 * Return where an entry can be recorded again; "" if it was stored by an older version of the app, which did not store its form.
 * @param {SettledOperation} operation
 */
export function makeAddress({ body, path, form }) {
  if (body?.kind === TURN && body.bike && body.actions) {
    const fields = new URLSearchParams({ contest: body.contest ?? "", slot: body.slot ?? "", actions: JSON.stringify(body.actions.slice(0, -1)), again: "1" });
    if (body.takes_over) fields.set("takes_over", "1");
    return `/crew/bikes/${body.bike}/?${fields}`;
  }
  const typed = new URLSearchParams(form);
  if (CHANGE_PATH.test(path) && form) {
    for (const name of ASKED_AGAIN) typed.delete(name);
    return `${path.split("?")[0]}?${typed}`;
  }
  if (path.startsWith(TABLE) && form) {
    return `${path.split("?")[0]}?${new URLSearchParams([...typed].filter(([name]) => TABLE_FIELD.test(name)))}`;
  }
  // A bike's page: its fields say which slot it is, and what was entered.
  if (typed.has("slot") && typed.has("contest")) {
    typed.delete("choose");
    return `${path.split("?")[0]}?${typed}`;
  }
  return body && !form && body.kind !== WALK_UP ? "" : path;
}

/**
 * Open the form again, and fill it in.
 * @param {SettledOperation} operation
 */
export async function enterAgain(operation) {
  await go(makeAddress(operation));
  const { body, form } = operation;
  const fields = form || !body ? [...new URLSearchParams(form)] : Object.entries(body).map(([name, value]) => [name, String(value)]);
  for (const name of new Set(fields.map(([field]) => field))) fillField(name, fields.flatMap(([field, value]) => (field === name ? [value] : [])));
}

/**
 * @param {string} name
 * @param {string[]} values
 */
function fillField(name, values) {
  const controls = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`main form[method=post] :is(input:not([type=hidden]), textarea, select)[name="${CSS.escape(name)}"]`));
  controls.forEach((control, index) => {
    if (["radio", "checkbox"].includes(control.type)) control.checked = values.includes(control.value);
    else control.value = values[index] ?? "";
    for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
  });
}

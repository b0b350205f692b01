// The list of prizes: a prize can also be dragged to its place in the order of announcing. The buttons work without this.

import { makeDraggable } from "./drag_list.js";

const list = document.querySelector("[data-prize-order]");
const listItems = () => /** @type {HTMLElement[]} */ ([...list.children]);

// Places keep their order, so the server decides where it goes, and the page loads again.
function save(item) {
  const form = /** @type {HTMLFormElement} */ (item.querySelector("form[data-move]"));
  const index = document.createElement("input");
  Object.assign(index, { type: "hidden", name: "index", value: String(listItems().indexOf(item)) });
  form.append(index);
  form.submit();
}

if (list) makeDraggable(listItems(), save);

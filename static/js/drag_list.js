// Dragging the rows of a list to another place.

/**
 * Let the rows of a list be dragged, and call back when one was dropped.
 * @param {HTMLElement[]} rows all of one parent.
 * @param {(row: HTMLElement) => void} onDrop
 */
export function makeDraggable(rows, onDrop) {
  let dragged = null;
  for (const row of rows) {
    row.draggable = true;
    row.addEventListener("dragstart", (event) => {
      dragged = row;
      event.dataTransfer.effectAllowed = "move";
      row.classList.add("is-dragged");
    });
    row.addEventListener("dragover", (event) => {
      if (!dragged) return;
      event.preventDefault();
      if (row === dragged) return;
      const { top, height } = row.getBoundingClientRect();
      if (event.clientY < top + height / 2) row.before(dragged);
      else row.after(dragged);
    });
    row.addEventListener("drop", (event) => event.preventDefault());
    row.addEventListener("dragend", () => {
      row.classList.remove("is-dragged");
      dragged = null;
      onDrop(row);
    });
  }
}

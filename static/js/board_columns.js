// The cells of a leaderboard's rows, by the names that the head of the table gives its columns (`data-column`). The
// cells themselves have no names: a long leaderboard has a thousand rows.

/**
 * @param {HTMLTableRowElement} row
 * @param {"place" | "number" | "people" | "progress" | "total"} column
 * @returns {HTMLTableCellElement | undefined} undefined where the leaderboard has no such column.
 */
export function getCell(row, column) {
  /** @type {HTMLTableCellElement | null} */
  const head = row.closest("table").querySelector(`th[data-column="${column}"]`);
  return head ? row.cells[head.cellIndex] : undefined;
}

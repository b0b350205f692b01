"""Reads the records of CSV text, and stops at once at anything beyond the limits of an import.

Terms: a *row* is numbered as in a spreadsheet, from 1. The first row that is not blank has the column names.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from scorekeeper.common.spreadsheet_problems import SpreadsheetProblem

MAX_ROWS = 5_000
MAX_COLUMNS = 200
MAX_CELL_LENGTH = 1_000  # characters, also in columns that are not used

Record = tuple[int, list[str]]  # the number of its row, and its cells


class _SpreadsheetTooLarge(Exception):
    """The file exceeds a limit; the problem says which."""

    def __init__(self, problem: SpreadsheetProblem):
        super().__init__(problem)
        self.problem = problem


def read_records(text: str, example: str) -> tuple[list[Record], list[SpreadsheetProblem]]:
    """Return the records that are not blank, the column names first, or else a problem. Never raises.

    Args:
        text: CSV, as `spreadsheet_text.decode_spreadsheet` returns it.
        example: column names as an example for a file without any.
    """
    try:
        records = list(_list_records(text))
    except csv.Error as error:
        return [], [SpreadsheetProblem(_("This cannot be read as CSV: %(error)s") % {"error": error})]
    except _SpreadsheetTooLarge as error:
        return [], [error.problem]
    if not records:
        problem = _("The file is empty. The first row must have column names, such as %(example)s")
        return [], [SpreadsheetProblem(problem % {"example": example})]
    return records, []


def find_overlong(record: Record, width: int) -> SpreadsheetProblem | None:
    """Return the problem of a record with values beyond the columns; None if it has none.

    Args:
        width: how many columns there are.
    """
    row, cells = record
    return SpreadsheetProblem(_("more cells than column names"), row) if any(cells[width:]) else None


def _list_records(text: str) -> Iterator[Record]:
    """Yield the records that are not blank.

    Raises:
        _SpreadsheetTooLarge: the file exceeds a limit.
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    count = 0
    for row, record in enumerate(reader, 1):
        cells = [cell.strip() for cell in record]
        if any(cells):
            count += 1
            _check_limits(cells, row, count)
            yield row, cells[:MAX_COLUMNS]


def _check_limits(cells: Sequence[str], row: int, count: int) -> None:
    if count > MAX_ROWS + 1:  # including the row of column names
        raise _SpreadsheetTooLarge(SpreadsheetProblem(_("There are more than %(most)s rows") % {"most": MAX_ROWS}))
    if any(cells[MAX_COLUMNS:]):
        text = _("more than %(most)s columns. Keep only the columns to import")
        raise _SpreadsheetTooLarge(SpreadsheetProblem(text % {"most": MAX_COLUMNS}, row))
    if any(len(cell) > MAX_CELL_LENGTH for cell in cells):
        text = _("a cell is longer than %(most)s characters. A quotation mark may be missing")
        raise _SpreadsheetTooLarge(SpreadsheetProblem(text % {"most": MAX_CELL_LENGTH}, row))

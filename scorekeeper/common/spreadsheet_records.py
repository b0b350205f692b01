"""Reads the records of CSV text, and stops at once at anything beyond the limits of an import.

Terms: a *row* is numbered as in a spreadsheet, from 1. The first row that is not blank has the column names. Before it,
Excel may name the separator: `sep=;`.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from scorekeeper.common.names import clean_name
from scorekeeper.common.spreadsheet_problems import SpreadsheetProblem
from scorekeeper.common.spreadsheet_text import CONTROL_CHARACTER

MAX_ROWS = 5_000
MAX_COLUMNS = 200
MAX_CELL_LENGTH = 1_000  # characters, also in columns that are not used

Record = tuple[int, list[str]]  # the number of its row, and its cells


_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t])"?')


class _UnusableSpreadsheet(Exception):
    """The file exceeds a limit, or is not CSV; the problem says what to do."""

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
    except _UnusableSpreadsheet as error:
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
    if not any(cells[width:]):
        return None
    text = _("more cells than column names. Name each column, or put a cell with a comma in quotation marks")
    return SpreadsheetProblem(text, row)


def _list_records(text: str) -> Iterator[Record]:
    """Yield the records that are not blank.

    Raises:
        _UnusableSpreadsheet: the file exceeds a limit.
    """
    first = next((line.strip(" ") for line in text.split("\n") if line.strip()), "")
    named = _SEPARATOR_LINE.fullmatch(first)
    delimiter = named[1] if named else max(",;\t", key=first.count)
    count = 0
    for row, record in _read_csv(text, delimiter):
        cells = [cell.strip() for cell in record]
        if any(map(clean_name, cells)):
            count += 1
            if named and count == 1:
                named, count = None, 0
                continue
            _check_limits(cells, row, count)
            yield row, cells[:MAX_COLUMNS]


def _read_csv(text: str, delimiter: str) -> Iterator[Record]:
    """Yield all rows.

    Raises:
        _UnusableSpreadsheet: the quotation marks of a row are wrong.
    """
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    row = 0
    try:
        for row, record in enumerate(reader, 1):
            yield row, record
    except csv.Error as error:
        if "unexpected end" in str(error):
            problem = _("a quotation mark is opened and never closed. Close it, or delete it")
        elif "expected after" in str(error):
            problem = _("text follows a closing quotation mark. Write a quotation mark within quotation marks twice")
        else:
            # The reader's own limit, far above ours.
            text = _("a cell is longer than %(most)s characters. A quotation mark may be missing")
            problem = text % {"most": MAX_CELL_LENGTH}
        raise _UnusableSpreadsheet(SpreadsheetProblem(problem, row + 1)) from error


def _check_limits(cells: Sequence[str], row: int, count: int) -> None:
    if count > MAX_ROWS + 1:  # including the row of column names
        text = _("There are more than %(most)s rows. Split them into several files")
        raise _UnusableSpreadsheet(SpreadsheetProblem(text % {"most": MAX_ROWS}))
    if any(cells[MAX_COLUMNS:]):
        text = _("more than %(most)s columns. Keep only the columns to import")
        raise _UnusableSpreadsheet(SpreadsheetProblem(text % {"most": MAX_COLUMNS}, row))
    for column, cell in enumerate(cells, 1):
        if len(cell) > MAX_CELL_LENGTH:
            text = _("column %(column)s is longer than %(most)s characters. A quotation mark may be missing")
            text %= {"column": column, "most": MAX_CELL_LENGTH}
            raise _UnusableSpreadsheet(SpreadsheetProblem(text, row))
        if CONTROL_CHARACTER.search(cell):
            text = _("column %(column)s has a character that is no text. Delete it") % {"column": column}
            raise _UnusableSpreadsheet(SpreadsheetProblem(text, row))

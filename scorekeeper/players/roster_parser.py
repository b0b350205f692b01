"""Parses a roster as spreadsheets export it: from CSV text to bikes, with every problem listed by row.

Invariant: a bike has only the fields that the file has columns for: a missing column leaves a field as it is, an empty
cell clears it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from scorekeeper.common.spreadsheet_columns import (
    SpreadsheetColumn,
    find_repeated_fields,
    list_columns,
    read_cells,
    split_names,
)
from scorekeeper.common.spreadsheet_problems import SpreadsheetProblem
from scorekeeper.common.spreadsheet_records import Record, find_overlong, read_records
from scorekeeper.players.roster_columns import FIELDS, LISTS, guess_fields

MAX_PASSENGERS_LENGTH = 400  # characters of all passengers of one bike
MAX_NUMBER = 99_999
MAX_DIGITS = len(str(MAX_NUMBER))
MAX_LENGTHS = {"rider": 80, "passengers": 80, "make": 60, "model": 60, "group": 80}

SAMPLE_CSV = """\
number,rider,passenger(s),make,model,group
1,Ann Miller,,Honda,Rebel 500,Group one
2,Ben Novak,"Zoe Novak, Max Novak",BMW,R 1250 RT,Group one
57,Cleo Hart,Dan Hart,Harley-Davidson,Road King,Group two
"""


@dataclass(frozen=True)
class RosterRow:
    """One bike in the file, with only the fields that the file has columns for; passengers are a tuple of names."""

    row_number: int
    number: int
    cells: Mapping[str, str]
    passengers: tuple[str, ...] | None = None


@dataclass
class ParsedRoster:
    """The result of parsing: the bikes, how the columns were read, and the problems."""

    rows: list[RosterRow] = field(default_factory=list)
    columns: list[SpreadsheetColumn] = field(default_factory=list)
    problems: list[SpreadsheetProblem] = field(default_factory=list)


def parse_roster(text: str, fields: Mapping[int, str] | None = None) -> ParsedRoster:
    """Parse a roster. Never raises; it stops at the first problem only if the file exceeds a limit.

    Args:
        text: CSV, as `spreadsheet_text.decode_spreadsheet` returns it.
        fields: the chosen field of each column, by its index from 0; None to guess all of them.
    """
    roster = ParsedRoster()
    records, roster.problems = read_records(text, "number,rider")
    if roster.problems:
        return roster
    (_first, header), *body = records
    cells = [record for _row, record in body]
    guess = dict(enumerate(guess_fields(header, cells))) if fields is None else fields
    roster.columns = list_columns(header, cells, guess)
    roster.problems += _check_columns(roster.columns)
    if not body:
        roster.problems = [
            SpreadsheetProblem(_("There are column names but no bikes below them. Add a row for each bike"))
        ]
    elif not roster.problems:
        _read_body(roster.columns, body, roster)
    return roster


def _check_columns(columns: Sequence[SpreadsheetColumn]) -> Iterator[SpreadsheetProblem]:
    yield from find_repeated_fields(columns, FIELDS, repeatable=LISTS)
    if not any(column.field == "number" for column in columns):
        text = _("Choose the column with the bikes’ numbers. The first row must have column names")
        yield SpreadsheetProblem(text, is_about_columns=True)


def _read_body(columns: Sequence[SpreadsheetColumn], body: Sequence[Record], roster: ParsedRoster) -> None:
    first_rows: dict[int, int] = {}
    width = max(column.index for column in columns) + 1
    for row, record in body:
        if problem := find_overlong((row, record), width):
            roster.problems.append(problem)
            continue
        cells = read_cells(columns, record, lists=LISTS)
        passengers_cell = cells.pop("passengers", None)
        passengers = None if passengers_cell is None else split_names(passengers_cell)
        number = _read_number(cells.pop("number"), row, first_rows, roster)
        has_valid_lengths = _check_lengths(cells, passengers_cell or "", passengers or (), row, roster)
        if number is not None and has_valid_lengths:
            roster.rows.append(RosterRow(row, number, cells, passengers))


def _read_number(cell: str, row: int, first_rows: dict[int, int], roster: ParsedRoster) -> int | None:
    """Return the bike's number, or add a problem and return None; `first_rows` has the first row of each number."""
    digits = cell.lstrip("0")
    is_whole = cell.isascii() and cell.isdigit() and len(digits) <= MAX_DIGITS
    number = int(digits or "0") if is_whole else 0
    if not cell:
        roster.problems.append(SpreadsheetProblem(_("no number"), row))
    elif not 1 <= number <= MAX_NUMBER:
        text = _("the number is not a whole number from 1 to %(high)s") % {"high": MAX_NUMBER}
        roster.problems.append(SpreadsheetProblem(text, row, cell))
    elif number in first_rows:
        text = _("number %(number)s is used more than once") % {"number": number}
        roster.problems += [SpreadsheetProblem(text, first_rows[number]), SpreadsheetProblem(text, row)]
    else:
        first_rows[number] = row
        return number
    return None


def _check_lengths(
    cells: Mapping[str, str], passengers_cell: str, passengers: Sequence[str], row: int, roster: ParsedRoster
) -> bool:
    """Return whether no value is too long; add a problem for each field that is."""
    values = [*cells.items(), *(("passengers", name) for name in passengers)]
    too_long = {(name, MAX_LENGTHS[name]) for name, value in values if len(value) > MAX_LENGTHS[name]}
    if len(passengers_cell) > MAX_PASSENGERS_LENGTH:
        too_long.add(("passengers", MAX_PASSENGERS_LENGTH))
    text = _("%(field)s: longer than %(most)s characters")
    roster.problems += [
        SpreadsheetProblem(text % {"field": FIELDS[name], "most": most}, row) for name, most in sorted(too_long)
    ]
    return not too_long

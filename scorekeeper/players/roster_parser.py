"""Parses a roster as spreadsheets export it: from CSV text to bikes, with every problem listed by row.

Terms: a *row* is numbered as in a spreadsheet, from 1. The first row that is not blank has the column names.

Invariants:
- A bike has only the fields that the file has columns for: a missing column leaves a field as it is, an empty cell
  clears it.
- Parsing stops at once at anything beyond the limits of a roster, so that no file takes longer than a second.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from scorekeeper.players.roster_columns import FIELDS, SAMPLE_ROWS, RosterColumn, guess_fields
from scorekeeper.players.roster_problems import RosterProblem

MAX_ROWS = 5_000
MAX_COLUMNS = 200
MAX_CELL_LENGTH = 1_000  # characters, also in columns that are not used
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


class _RosterTooLarge(Exception):
    """The file exceeds a limit of rosters; the problem says which."""

    def __init__(self, problem: RosterProblem):
        super().__init__(problem)
        self.problem = problem


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
    columns: list[RosterColumn] = field(default_factory=list)
    problems: list[RosterProblem] = field(default_factory=list)


def parse_roster(text: str, fields: Mapping[int, str] | None = None) -> ParsedRoster:
    """Parse a roster. Never raises; it stops at the first problem only if the file exceeds a limit.

    Args:
        text: CSV, as `roster_text.decode_roster` returns it.
        fields: the chosen field of each column, by its index from 0; None to guess all of them.
    """
    roster = ParsedRoster()
    try:
        records = list(_list_records(text))
    except csv.Error as error:
        roster.problems.append(RosterProblem(_("This cannot be read as CSV: %(error)s") % {"error": error}))
        return roster
    except _RosterTooLarge as error:
        roster.problems.append(error.problem)
        return roster
    if not records:
        roster.problems.append(
            RosterProblem(_("The file is empty. The first row must have column names, such as number,rider"))
        )
        return roster
    (_first, header), *body = records
    roster.columns = _list_columns(header, [record for _row, record in body], fields)
    roster.problems += _check_columns(roster.columns)
    if not body:
        roster.problems = [RosterProblem(_("There are column names but no bikes below them"))]
    elif not roster.problems:
        _read_body(roster.columns, body, roster)
    return roster


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a cell, which are separated by commas, semicolons, slashes or line breaks."""
    parts = text.replace(";", ",").replace("/", ",").replace("\n", ",").split(",")
    return tuple(" ".join(part.split()) for part in parts if part.strip())


def _list_records(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the records that are not blank, each with its row number.

    Raises:
        _RosterTooLarge: the file exceeds a limit.
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
        raise _RosterTooLarge(RosterProblem(_("There are more than %(most)s rows") % {"most": MAX_ROWS}))
    if any(cells[MAX_COLUMNS:]):
        text = _("more than %(most)s columns. Keep only the columns for bikes and their people")
        raise _RosterTooLarge(RosterProblem(text % {"most": MAX_COLUMNS}, row))
    if any(len(cell) > MAX_CELL_LENGTH for cell in cells):
        text = _("a cell is longer than %(most)s characters. A quotation mark may be missing")
        raise _RosterTooLarge(RosterProblem(text % {"most": MAX_CELL_LENGTH}, row))


def _list_columns(
    header: Sequence[str], body: Sequence[list[str]], fields: Mapping[int, str] | None
) -> list[RosterColumn]:
    """Return the columns that have a name, or a value in one of the sample rows."""
    guess = dict(enumerate(guess_fields(header, body))) if fields is None else fields
    columns = []
    for index, name in enumerate(header):
        samples = tuple(record[index] if index < len(record) else "" for record in body[:SAMPLE_ROWS])
        if name or any(samples):
            columns.append(RosterColumn(index, name, samples, guess.get(index, "")))
    return columns


def _check_columns(columns: Sequence[RosterColumn]) -> Iterator[RosterProblem]:
    fields = [column.field for column in columns]
    for name, label in FIELDS.items():
        if name != "passengers" and fields.count(name) > 1:
            titles = ", ".join(f"“{column.title}”" for column in columns if column.field == name)
            text = _("Only one column can be %(field)s: choose between %(columns)s")
            yield RosterProblem(text % {"field": label, "columns": titles}, is_about_columns=True)
    if "number" not in fields:
        text = _("Choose the column with the bikes’ numbers. The first row must have column names")
        yield RosterProblem(text, is_about_columns=True)


def _read_body(columns: Sequence[RosterColumn], body: Sequence[tuple[int, list[str]]], roster: ParsedRoster) -> None:
    first_rows: dict[int, int] = {}
    width = max(column.index for column in columns) + 1
    for row, record in body:
        if any(record[width:]):
            roster.problems.append(RosterProblem(_("more cells than column names"), row))
            continue
        cells: dict[str, str] = {}
        for column in columns:
            cell = record[column.index] if column.index < len(record) else ""
            if column.field == "passengers":
                cells["passengers"] = f"{cells['passengers']},{cell}" if cells.get("passengers") else cell
            elif column.field:
                cells[column.field] = " ".join(cell.split())
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
        roster.problems.append(RosterProblem(_("no number"), row))
    elif not 1 <= number <= MAX_NUMBER:
        text = _("the number is not a whole number from 1 to %(high)s") % {"high": MAX_NUMBER}
        roster.problems.append(RosterProblem(text, row, cell))
    elif number in first_rows:
        text = _("number %(number)s is used more than once") % {"number": number}
        roster.problems += [RosterProblem(text, first_rows[number]), RosterProblem(text, row)]
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
        RosterProblem(text % {"field": FIELDS[name], "most": most}, row) for name, most in sorted(too_long)
    ]
    return not too_long

"""Reads CSV text as a sheet, guesses which field each column is, and describes what is wrong with it.

Terms: a *field* is something an import stores; a *column* is a column of the file. A *row* is numbered as in a
spreadsheet, from 1, and a *cell* named as there: A1. The row with the column names is the one that has most of those
that an import knows, among the first; rows above it are titles. Before them, Excel may name the separator: `sep=;`.

Invariant: reading stops at once at anything beyond the limits of an import.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.names import clean_name
from scorekeeper.common.spreadsheets.files import CONTROL_CHARACTER
from scorekeeper.common.word_lists import join_and

MAX_ROWS = 5_000
MAX_COLUMNS = 200
MAX_CELL_LENGTH = 1_000  # characters, also in columns that are not used
MAX_TITLE_ROWS = 20  # above the names of the columns
SAMPLE_ROWS = 3
MAX_ROWS_NAMED = 20
MAX_CELLS_QUOTED = 3
MAX_QUOTE_LENGTH = 40
_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t])"?')
Label = str | Promise
Cells = Mapping[str, str]  # by field


@dataclass(frozen=True)
class Problem:
    """A problem of a row; without a row it is a problem of the columns or of the whole file.

    Attributes:
        text: what is wrong, and what to do.
        cell: what the cell says.
        field: the field whose cell it is about; "" if it is about the row.
        column: the column of that cell, from 0.
    """

    text: Label
    row: int | None = None
    cell: str = ""
    is_about_columns: bool = False
    field: str = ""
    column: int | None = None


class Note(Problem):
    """Not a problem: what was read differently from the file, or left out."""


class UnusableSheet(Exception):
    """The text exceeds a limit, is empty, or is not CSV; the problem says what to do."""

    def __init__(self, problem: Problem):
        super().__init__(problem)
        self.problem = problem


class Record(NamedTuple):
    """A row that is not blank; below the column names it has at least as many cells."""

    row: int
    cells: list[str]


class Sheet(NamedTuple):
    """The names of the columns, and the rows below them.

    Attributes:
        heading: the row with the names of the columns.
        titles: the rows above it that are not blank.
    """

    header: list[str]
    body: list[Record]
    heading: int
    titles: list[int]


@dataclass(frozen=True)
class Field:
    """A field of an import.

    Attributes:
        names: the simplified names that its column usually has, the clearest first: of several columns, the one with
            the first is used.
        is_list: whether it has a list of names, possibly over several columns.
        missing: the problem of a row that has nothing in it; "" for a field that can be empty, or have no column.
        max_length: the most characters of its value, or of each name of a list; None for any length.
        max_list_length: the most characters of a list.
    """

    label: Label
    names: Sequence[str]
    is_list: bool = False
    missing: Label = ""
    max_length: int | None = None
    max_list_length: int | None = None


@dataclass(frozen=True)
class Column:
    """A column of the file: its index from 0, its name, samples from the first rows, and the field it is read as.

    The field is "" for a column that is not used.
    """

    index: int
    name: str
    samples: tuple[str, ...]
    field: str

    @property
    def title(self) -> str:
        """Its name, or its number if it has no name."""
        return self.name or _("Column %(number)s") % {"number": self.index + 1}


def read_sheet(text: str, example: str, known: Collection[str] = (), heading: int | None = None) -> Sheet:
    """Return the sheet that is in a text.

    Args:
        text: CSV, as `files.decode_spreadsheet` returns it.
        example: column names as an example for a file without any.
        known: the simplified names of columns, to find the row that has them.
        heading: the row that has them; None to find it. A row that is blank or missing is not used.

    Raises:
        UnusableSheet: there is no sheet, or one beyond the limits.
    """
    records = list(_list_records(text))
    if not records:
        problem = _("The file is empty. The first row must have column names, such as %(example)s")
        raise UnusableSheet(Problem(problem % {"example": example}))
    chosen = [place for place, record in enumerate(records) if record.row == heading]
    place = chosen[0] if chosen else _find_heading(records, known)
    header, *body = records[place:]
    if len(body) > MAX_ROWS:
        raise _refuse_rows()
    padding = [""] * len(header.cells)
    padded = [Record(row, cells + padding[len(cells) :]) for row, cells in body]
    return Sheet(header.cells, padded, header.row, [record.row for record in records[:place]])


def _find_heading(records: Sequence[Record], known: Collection[str]) -> int:
    """Return the place of the row with the names of columns among the rows.

    It is the one with most known names. Without any it is the first row, or the first with several cells below titles.
    """
    first = records[:MAX_TITLE_ROWS]
    counts = [len({simplify_name(cell) for cell in cells if cell} & set(known)) for _row, cells in first]
    if max(counts):
        return counts.index(max(counts))
    filled = [sum(map(bool, cells)) for _row, cells in first]
    return next((place for place, count in enumerate(filled) if count > 1), 0)


def _list_records(text: str) -> Iterator[Record]:
    """Yield the rows that are not blank.

    Raises:
        UnusableSheet: the text exceeds a limit.
    """
    first = next((line.strip(" ") for line in text.split("\n") if line.strip()), "")
    separator = _SEPARATOR_LINE.fullmatch(first)
    delimiter = separator[1] if separator else max(",;\t", key=first.count)
    count = 0
    for row, cells in _read_csv(text, delimiter):
        if not any(map(clean_name, cells)):
            continue
        if separator:
            separator = None
            continue
        count += 1
        _check_limits(cells, row, count)
        yield Record(row, cells[:MAX_COLUMNS])


def _read_csv(text: str, delimiter: str) -> Iterator[Record]:
    """Yield all rows.

    Raises:
        UnusableSheet: the quotation marks of a row are wrong.
    """
    row = 0
    try:
        for row, cells in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True), 1):
            yield Record(row, [cell.strip() for cell in cells])
    except csv.Error as error:
        if "unexpected end" in str(error):
            problem = _("a quotation mark is opened and never closed. Close it, or delete it")
        elif "expected after" in str(error):
            problem = _("text follows a closing quotation mark. Write a quotation mark within quotation marks twice")
        else:
            # The reader's own limit, far above ours.
            text = _("a cell is longer than %(most)s characters. A quotation mark may be missing")
            problem = text % {"most": MAX_CELL_LENGTH}
        raise UnusableSheet(Problem(problem, row + 1)) from error


def _check_limits(cells: Sequence[str], row: int, count: int) -> None:
    if count > MAX_ROWS + MAX_TITLE_ROWS:
        raise _refuse_rows()
    if any(cells[MAX_COLUMNS:]):
        text = _("more than %(most)s columns. Keep only the columns to import")
        raise UnusableSheet(Problem(text % {"most": MAX_COLUMNS}, row))
    for column, cell in enumerate(cells, 1):
        if len(cell) > MAX_CELL_LENGTH:
            text = _("column %(column)s is longer than %(most)s characters. A quotation mark may be missing")
            raise UnusableSheet(Problem(text % {"column": column, "most": MAX_CELL_LENGTH}, row))
        if CONTROL_CHARACTER.search(cell):
            text = _("column %(column)s has a character that is no text. Delete it") % {"column": column}
            raise UnusableSheet(Problem(text, row))


def _refuse_rows() -> UnusableSheet:
    text = _("There are more than %(most)s rows. Split them into several files")
    return UnusableSheet(Problem(text % {"most": MAX_ROWS}))


def simplify_name(name: str) -> str:
    """Return the name of a column without case, accents and signs, for comparing: "rider first" for "RiderFirst"."""
    words = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])", " ", name)
    letters = (char for char in unicodedata.normalize("NFKD", words) if not unicodedata.combining(char))
    return " ".join("".join(char if char.isalnum() or char == "#" else " " for char in letters).casefold().split())


def guess_by_name(
    header: Sequence[str], fields: Mapping[str, Field], known: Mapping[int, str] | None = None
) -> dict[int, str]:
    """Return the field of each column, by its index, that is known or that its name stands for.

    Args:
        header: the name of each column.
        fields: those to look for.
        known: the fields of columns whose name does not matter.
    """
    guess = dict(known or {})
    titles = {index: simplify_name(name) for index, name in enumerate(header)}
    for key, field in fields.items():
        names = [simplify_name(name) for name in field.names]
        matches = [index for index, title in titles.items() if title in names and index not in guess]
        if matches and not field.is_list:
            matches = [min(matches, key=lambda index: names.index(titles[index]))]
        guess.update(dict.fromkeys(matches, key))
    return guess


def list_columns(sheet: Sheet, chosen: Mapping[int, str]) -> list[Column]:
    """Return the columns that have a name, or a value in one of the sample rows.

    Args:
        chosen: the field of each column, by its index; those that are missing are not used.
    """
    columns = []
    for index, name in enumerate(sheet.header):
        samples = tuple(record.cells[index] for record in sheet.body[:SAMPLE_ROWS])
        if name or any(samples):
            columns.append(Column(index, name, samples, chosen.get(index, "")))
    return columns


def read_cells(columns: Sequence[Column], record: Record, fields: Mapping[str, Field]) -> dict[str, str]:
    """Return the value of each field that the file has columns for, with single spaces.

    A list keeps its line breaks.
    """
    cells: dict[str, str] = {}
    for column in columns:
        if column.field:
            cell = record.cells[column.index]
            if not fields[column.field].is_list:
                cell = clean_name(cell)
            elif before := cells.get(column.field):
                cell = f"{before}\n{cell}"
            cells[column.field] = cell
    return cells


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a cell, which are separated by commas, semicolons, slashes or line breaks."""
    parts = text.replace(";", ",").replace("/", ",").replace("\n", ",").split(",")
    return tuple(filter(None, map(clean_name, parts)))


def find_repeated_fields(columns: Sequence[Column], fields: Mapping[str, Field]) -> Iterator[Problem]:
    """Yield a problem for each field that several columns have and only one can have."""
    for key, field in fields.items():
        titles = [f"“{column.title}”" for column in columns if column.field == key]
        if len(titles) > 1 and not field.is_list:
            text = _("Only one column can be %(field)s: choose between %(columns)s")
            yield Problem(text % {"field": field.label, "columns": ", ".join(titles)}, is_about_columns=True)


def find_surplus_cells(record: Record, width: int) -> Problem | None:
    """Return the problem of a row with values beyond the columns; None if it has none.

    Args:
        width: how many columns there are.
    """
    if not any(record.cells[width:]):
        return None
    text = _("more cells than column names. Name each column, or put a cell with a comma in quotation marks")
    return Problem(text, record.row)


def find_missing_cells(row: int, cells: Cells, fields: Mapping[str, Field]) -> Iterator[Problem]:
    """Yield a problem for each field of a row that is empty and must not be."""
    for key, field in fields.items():
        if field.missing and not cells[key]:
            yield Problem(field.missing, row, field=key)


def find_overlong_cells(row: int, cells: Cells, fields: Mapping[str, Field]) -> Iterator[Problem]:
    """Yield a problem for each limit that the length of a field of a row exceeds."""
    for key, cell in sorted(cells.items()):
        field = fields[key]
        names = split_names(cell) if field.is_list else [cell]
        for most, length in ((field.max_length, max(map(len, names), default=0)), (field.max_list_length, len(cell))):
            if most is not None and length > most:
                text = _("%(field)s: longer than %(most)s characters")
                yield Problem(text % {"field": field.label, "most": most}, row, field=key)


def describe_problems(problems: Iterable[Problem]) -> list[str]:
    """Return a sentence for each kind of problem, such as "Rows 3, 7 and 12: no number."."""
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(str(problem.text), []).append(problem)
    return [_describe(text, group) for text, group in groups.items()]


def _describe(text: str, problems: list[Problem]) -> str:
    places = sorted({(problem.row, problem.column) for problem in problems if problem.row is not None}, key=_sort_place)
    if not places:
        return f"{text}."
    named = [_name_place(row, column) for row, column in places[:MAX_ROWS_NAMED]]
    if more := len(places) - len(named):
        named.append(ngettext("%(count)s more", "%(count)s more", more) % {"count": more})
    cells = list(dict.fromkeys(problem.cell for problem in problems if problem.cell))
    if cells:
        quoted = [f"“{cell[:MAX_QUOTE_LENGTH]}”" for cell in cells[:MAX_CELLS_QUOTED]]
        text = f"{text} ({', '.join(quoted)}{', …' if len(cells) > MAX_CELLS_QUOTED else ''})"
    params = {"places": join_and(named), "text": text}
    if places[0][1] is not None:
        return ngettext("Cell %(places)s: %(text)s.", "Cells %(places)s: %(text)s.", len(places)) % params
    return ngettext("Row %(places)s: %(text)s.", "Rows %(places)s: %(text)s.", len(places)) % params


def _sort_place(place: tuple[int | None, int | None]) -> tuple[int, int]:
    return place[0] or 0, -1 if place[1] is None else place[1]


def _name_place(row: int | None, column: int | None) -> str:
    """Return the name of a cell, such as "C12", or the number of a row."""
    letters = ""
    while column is not None and column >= 0:
        column, letter = divmod(column, 26)
        letters = chr(ord("A") + letter) + letters
        column -= 1
    return f"{letters}{row}"

"""Reading a roster as spreadsheets write it: from bytes to rows, with every fault found by line and column.

Terms: a *line* is counted as an editor counts it, from 1; the first line that is not blank holds the column names. A
row keeps only what the file has columns for: a missing column says nothing, an empty cell says "nothing".
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MOST_ROWS = 5_000
HIGHEST_NUMBER = 99_999

COLUMNS: Mapping[str, str | Promise] = {
    "number": gettext_lazy("Number"),
    "rider": gettext_lazy("Rider"),
    "passengers": gettext_lazy("Passengers"),
    "make": gettext_lazy("Make"),
    "model": gettext_lazy("Model"),
    "group": gettext_lazy("Group"),
}
LONGEST = {"rider": 80, "passengers": 80, "make": 60, "model": 60, "group": 80}
SYNONYMS: Mapping[str, Sequence[str]] = {
    "number": ("no", "nr", "#", "bike", "bike number", "bike no", "start number", "plate"),
    "rider": ("name", "rider name", "driver"),
    "passengers": ("passenger", "passenger(s)", "pillion", "co-rider"),
    "make": ("brand", "manufacturer"),
    "model": ("type",),
    "group": ("group name",),
}
_KNOWN = {word: column for column, words in SYNONYMS.items() for word in (column, *words)}

SAMPLE = """\
number,rider,passenger(s),make,model,group
1,Ann Miller,,Honda,Rebel 500,Group one
2,Ben Novak,"Zoe Novak, Max Novak",BMW,R 1250 RT,Group one
57,Cleo Hart,Dan Hart,Harley-Davidson,Road King,Group two
"""


class Unreadable(Exception):
    """The bytes are no text in UTF-8; the message says what to do."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a cell; without a column with the line, without a line with the whole file."""

    text: str
    line: int | None = None
    column: str = ""

    def __str__(self) -> str:
        if self.line is None:
            return self.text
        if not self.column:
            return _("Line %(line)s: %(text)s") % {"line": self.line, "text": self.text}
        params = {"line": self.line, "column": COLUMNS[self.column], "text": self.text}
        return _("Line %(line)s, %(column)s: %(text)s") % params


@dataclass(frozen=True)
class Row:
    """One bike as the file has it: only what there are columns for, passengers as a tuple of names."""

    line: int
    number: int
    cells: Mapping[str, str]
    passengers: tuple[str, ...] | None = None


@dataclass
class Roster:
    """What was read, what is wrong with it, and the columns nothing is known about."""

    rows: list[Row] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, with or without its mark, with plain line ends.

    Raises:
        Unreadable: it is written another way.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(
            _("The file is not in UTF-8. In Excel save it as “CSV UTF-8”; in LibreOffice choose “Unicode (UTF-8)”.")
        ) from error
    if "\0" in text:
        raise Unreadable(_("This is no CSV file. In your spreadsheet choose “Save as” and then CSV."))
    return normalise(text)


def normalise(text: str) -> str:
    """Return the text with plain line ends and without a mark at its beginning."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_roster(text: str) -> Roster:
    """Read a roster. Never raises, and does not stop at the first fault."""
    roster = Roster()
    try:
        records = list(_list_records(text))
    except csv.Error as error:
        roster.faults.append(Fault(_("This cannot be read as CSV: %(error)s.") % {"error": error}))
        return roster
    if not records:
        roster.faults.append(
            Fault(_("There is nothing in it. The first line names the columns, such as number,rider."))
        )
        return roster
    (line, header), *body = records
    columns = _read_header(header, line, roster)
    if len(body) > MOST_ROWS:
        roster.faults.append(Fault(_("There are more than %(most)s lines.") % {"most": MOST_ROWS}))
    elif not body and not roster.faults:
        roster.faults.append(Fault(_("There are column names but no bikes below them.")))
    elif not roster.faults:
        _read_body(columns, body, roster)
    return roster


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a cell; commas, semicolons and slashes stand between them."""
    parts = text.replace(";", ",").replace("/", ",").replace("\n", ",").split(",")
    return tuple(" ".join(part.split()) for part in parts if part.strip())


def _list_records(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the records that are not blank, each with the line it begins on."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
    begins = 1
    for record in reader:
        if any(cell.strip() for cell in record):
            yield begins, [cell.strip() for cell in record]
        begins = reader.line_num + 1


def _read_header(header: Sequence[str], line: int, roster: Roster) -> list[str | None]:
    """Return what each column means, None for one that is not used."""
    columns: list[str | None] = []
    for name in header:
        plain = " ".join(name.casefold().replace("_", " ").replace(".", "").split())
        column = _KNOWN.get(plain)
        if column is None and name:
            roster.ignored.append(name)
        elif column in columns and column != "passengers":
            text = _("there are two columns for this: “%(name)s” is the second.")
            roster.faults.append(Fault(text % {"name": name}, line, column or ""))
        columns.append(column)
    if "number" not in columns:
        text = _("no column is called “number”. The first line has to name the columns, such as number,rider,group.")
        roster.faults.append(Fault(text, line))
    return columns


def _read_body(columns: Sequence[str | None], body: Sequence[tuple[int, list[str]]], roster: Roster) -> None:
    lines: dict[int, int] = {}
    for line, record in body:
        if len(record) > len(columns) and any(record[len(columns) :]):
            roster.faults.append(Fault(_("there are more cells than column names."), line))
            continue
        padded = record + [""] * (len(columns) - len(record))
        cells: dict[str, str] = {}
        for column, cell in zip(columns, padded, strict=False):
            if column == "passengers" and cells.get(column):
                cells[column] += f",{cell}"
            elif column is not None:
                cells[column] = " ".join(cell.split()) if column != "passengers" else cell
        passengers = split_names(cells.pop("passengers")) if "passengers" in cells else None
        number = _read_number(cells.pop("number"), line, lines, roster)
        is_short = _check_lengths(cells, passengers or (), line, roster)
        if number is not None and is_short:
            roster.rows.append(Row(line, number, cells, passengers))


def _read_number(cell: str, line: int, lines: dict[int, int], roster: Roster) -> int | None:
    """Return the bike's number, or None and a fault; `lines` says on which line each number was met."""
    text = ""
    if not cell:
        text = _("the bike has no number.")
    elif not (cell.isascii() and cell.isdigit()) or not 1 <= int(cell[:20]) <= HIGHEST_NUMBER:
        text = _("“%(cell)s” is not a whole number from 1 to %(high)s.") % {"cell": cell[:40], "high": HIGHEST_NUMBER}
    elif int(cell) in lines:
        text = _("%(number)s stands on line %(line)s already.") % {"number": int(cell), "line": lines[int(cell)]}
    if text:
        roster.faults.append(Fault(text, line, "number"))
        return None
    lines[int(cell)] = line
    return int(cell)


def _check_lengths(cells: Mapping[str, str], passengers: Sequence[str], line: int, roster: Roster) -> bool:
    """Say whether everything fits; what does not becomes a fault."""
    too_long = [
        column
        for column, cell in (*cells.items(), *(("passengers", name) for name in passengers))
        if len(cell) > LONGEST[column]
    ]
    for column in too_long:
        text = _("this is longer than %(most)s letters.") % {"most": LONGEST[column]}
        roster.faults.append(Fault(text, line, column))
    return not too_long

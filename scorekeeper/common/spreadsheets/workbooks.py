"""Reads the sheets of an Excel workbook as CSV text, with python-calamine.

Invariant: the size of a workbook is checked before it is parsed. The library keeps every cell between the first and the
last of a sheet in memory, so a workbook whose cells lie too far apart is refused as well as one that unzips to more
bytes or elements than any import needs. No file takes more than a few seconds or some 100 megabytes.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
from collections.abc import Iterable, Sequence
from html import unescape
from typing import Any, NamedTuple
from zipfile import ZipFile

from django.utils.translation import gettext as _

from scorekeeper.common.spreadsheets.cells import FORMULA_MARK

MAX_UNZIPPED_BYTES = 10_000_000  # bytes of all parts together
MAX_PARTS = 500
MAX_ELEMENTS = 250_000  # XML elements; 5,000 bikes with ten columns have some 150,000
MAX_AREA = 1_000_000  # cells between A1 and the last one, blank ones included
MAX_SHARED_BYTES = 20_000_000  # of the texts that cells share, counted for each cell, as the library keeps them
MAX_SHEETS = 20  # that are read
MAX_CHARACTERS = 1_000_000  # characters of the text of one sheet
MAX_TEXT_BYTES = 2_000_000  # bytes of all texts in UTF-8: the form that confirms an import can send no more
# The place of a cell or a row, in any part: a sheet may have any name in the archive. Without one it follows another.
_PLACE = re.compile(rb"\br\s*=\s*[\"']\s*\$?([A-Za-z]{0,9})\$?([0-9]{1,12})")
_ROW = re.compile(rb"<(?:\w+:)?row[\s/>]")
_CELL_WITHOUT_PLACE = re.compile(rb"<(?:\w+:)?c(?=[\s/>])(?![^>]*\br\s*=)")
# A cell's value, which may be the number of a text that cells share; and the beginning of each such text.
_VALUE = re.compile(rb"<(?:\w+:)?v(?:\s[^>]*)?>(?:\s|<!\[CDATA\[|<!--.*?-->)*(\d{1,7})")
_SHARED_TEXT = re.compile(rb"<(?:\w+:)?si[\s>/]")
# Sheets in the order of the workbook, and where the parts of the archive are that they name.
_SHEET = re.compile(rb"<(?:\w+:)?sheet\s([^>]*)>")
_PART = re.compile(rb"<(?:\w+:)?Relationship\s([^>]*)>")
_ATTRIBUTE = re.compile(rb"([\w:]+)\s*=\s*[\"']([^\"']*)[\"']")
# A cell with a formula and without a value. An empty text that was computed is of the type "str".
_FORMULA = re.compile(
    rb"<(?:\w+:)?c\s([^>]*)>\s*<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>([^<]*)</(?:\w+:)?f>)"
    rb"\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
MAX_FORMULA = 60  # characters that are shown of one
_OTHER_FORMATS = ("content.xml", "xl/workbook.bin")  # which the library would try if it is no .xlsx


class UnreadableSpreadsheet(Exception):
    """The file cannot be read at all; the message says what to do."""


class WorkbookSheet(NamedTuple):
    """A sheet: its name, and its cells as CSV; each of its rows, even a blank one, is a record of the text."""

    name: str
    text: str


def read_workbook(data: bytes) -> list[WorkbookSheet]:
    """Return the visible sheets that are not blank, the fullest first. Those too large for one form are left out.

    A merged cell is repeated in all of its rows. A formula whose value was never computed is given as the formula,
    "=A2": programs that only write workbooks leave such cells, and the library reads them as empty.

    Raises:
        UnreadableSpreadsheet: it is not a workbook, has no text, or is far larger than an import.
    """
    try:
        _check_size(data)
        sheets = _read_sheets(data)
    except UnreadableSpreadsheet:
        raise
    except Exception as error:
        # With a damaged part the library can raise any exception.
        raise UnreadableSpreadsheet(
            _("This workbook is damaged. Open it in your spreadsheet and save it again.")
        ) from error
    kept: list[WorkbookSheet] = []
    free = MAX_TEXT_BYTES
    for sheet in sheets:
        free -= len(sheet.text.encode())
        if free < 0 and not kept:
            raise _refuse_text()
        if free >= 0:
            kept.append(sheet)
    return kept


def _check_size(data: bytes) -> None:
    """Raise `UnreadableSpreadsheet` if the archive is too large; a part never unzips to more than its declared size."""
    too_large = UnreadableSpreadsheet(
        _("This workbook is too large. Copy only what you want to import to a new one and choose that.")
    )
    with ZipFile(io.BytesIO(data)) as archive:
        parts, names = archive.infolist(), archive.namelist()
        if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNZIPPED_BYTES:
            raise too_large
        if "xl/workbook.xml" not in names or any(name in names for name in _OTHER_FORMATS):
            raise UnreadableSpreadsheet(_("This is not an Excel workbook. Save your spreadsheet as .xlsx or CSV."))
        texts = {part.filename: archive.read(part) for part in parts}
    if sum(text.count(b"<") - text.count(b"</") for text in texts.values()) > MAX_ELEMENTS:
        raise too_large
    shared = [len(text) for text in _SHARED_TEXT.split(texts.get("xl/sharedStrings.xml", b""))[1:]]
    for text in texts.values():
        _check_area(text)
        indexes = map(int, _VALUE.findall(text))
        if sum(shared[index] for index in indexes if index < len(shared)) > MAX_SHARED_BYTES:
            raise _refuse_text()


def _check_area(text: bytes) -> None:
    """Raise `UnreadableSpreadsheet` if the first and the last cell of a sheet may be too far apart."""
    last_column = last_row = 0
    farthest = ""
    for letters, digits in _PLACE.findall(text):
        column = 0
        for letter in letters.upper():
            column = column * 26 + letter - 64
        if column > last_column or int(digits) > last_row:
            farthest = f"{letters.decode().upper()}{digits.decode()}"
        last_column, last_row = max(last_column, column), max(last_row, int(digits))
    rows = _ROW.split(text)
    last_column += max(len(_CELL_WITHOUT_PLACE.findall(row)) for row in rows)
    if last_column * (last_row + len(rows)) > MAX_AREA:
        problem = _("This workbook has a cell far away from the others: %(cell)s. Delete its row and its column.")
        raise UnreadableSpreadsheet(problem % {"cell": farthest})


def _read_sheets(data: bytes) -> list[WorkbookSheet]:
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    found = []
    with CalamineWorkbook.from_filelike(io.BytesIO(data)) as workbook, ZipFile(io.BytesIO(data)) as archive:
        parts = _list_sheet_parts(archive)
        listed = [
            (number, sheet.name)
            for number, sheet in enumerate(workbook.sheets_metadata)
            if sheet.visible == SheetVisibleEnum.Visible and sheet.typ == SheetTypeEnum.WorkSheet
        ]
        for number, name in listed[:MAX_SHEETS]:
            sheet = workbook.get_sheet_by_name(name)
            rows = sheet.to_python(skip_empty_area=False)
            if number < len(parts) and parts[number] in archive.namelist():
                _show_formulas(rows, archive.read(parts[number]))
            _fill_merged(rows, sheet.merged_cell_ranges or ())
            written = [[_format_cell(cell) for cell in row] for row in rows]
            if any(map(any, written)):
                found.append((_count_table_cells(written), WorkbookSheet(name, _write_csv(written))))
    return [sheet for _count, sheet in sorted(found, key=lambda each: -each[0])] or [WorkbookSheet("", "")]


def _list_sheet_parts(archive: ZipFile) -> list[str]:
    """Return the name in the archive of each sheet, in the order of the workbook; "" for one that is not found."""
    names = archive.namelist()
    relations = "xl/_rels/workbook.xml.rels"
    found = map(_read_attributes, _PART.findall(archive.read(relations)) if relations in names else ())
    targets = {one.get(b"Id", b""): one.get(b"Target", b"").decode(errors="replace") for one in found}
    sheets = map(_read_attributes, _SHEET.findall(archive.read("xl/workbook.xml")))
    ids = [next((value for name, value in one.items() if name.endswith(b":id")), b"") for one in sheets]
    return [f"xl/{targets[key]}".removeprefix("xl//") if key in targets else "" for key in ids]


def _read_attributes(tag: bytes) -> dict[bytes, bytes]:
    return dict(_ATTRIBUTE.findall(tag))


def _show_formulas(rows: list[list[Any]], text: bytes) -> None:
    """Write each formula without a value into its cell, marked, since a text may begin with "=" as well."""
    for tag, formula in _FORMULA.findall(text):
        cell = _read_attributes(tag)
        place = re.fullmatch(rb"([A-Za-z]{1,3})([0-9]{1,7})", cell.get(b"r", b""))
        if place is None or cell.get(b"t") == b"str":
            continue
        column = 0
        for letter in place[1].upper():
            column = column * 26 + letter - 64
        row = int(place[2])
        rows += ([] for _row in range(len(rows), row))
        cells = rows[row - 1]
        cells += [""] * (column - len(cells))
        cells[column - 1] = f"{FORMULA_MARK}={unescape(formula.decode(errors='replace'))[:MAX_FORMULA] or '…'}"


def _fill_merged(rows: list[list[Any]], ranges: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    """Write each merged cell into all of its rows, where its first column is."""
    free = MAX_AREA  # ranges that overlap could be many times the sheet
    for (first, column), (last, _last_column) in ranges:
        if first < len(rows) and column < len(rows[first]) and free > 0:
            below = rows[first + 1 : last + 1]
            free -= len(below)
            for row in below:
                row[column] = rows[first][column]


def _count_table_cells(rows: Sequence[Sequence[str]]) -> int:
    """Return how many cells are in rows with more than one: instructions fill one cell of each row."""
    counts = [sum(map(bool, row)) for row in rows]
    return sum(count for count in counts if count > 1)


def _write_csv(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    blank = 0
    for row in rows:
        cells = list(row)
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            blank += 1  # written only if another row follows
            continue
        # Counted before it is written: any number of cells can share one text of megabytes.
        if text.tell() + blank + sum(map(len, cells)) > MAX_CHARACTERS:
            raise _refuse_text()
        text.write("\n" * blank)
        blank = 0
        writer.writerow(cells)
    return text.getvalue()


def _refuse_text() -> UnreadableSpreadsheet:
    return UnreadableSpreadsheet(
        _("This workbook has more text than an import needs. Keep only what you want to import.")
    )


def _format_cell(value: Any) -> str:
    """Return what a cell says: 12.0 is "12", and a day without a time is "2026-03-09"."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.15g}"
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return str(value)

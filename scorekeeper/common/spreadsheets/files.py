"""Converts an uploaded file to CSV text, from CSV in one of three encodings or from an Excel workbook.

Invariant: the size of a workbook is checked before it is parsed. A workbook that unzips to more bytes or elements than
any import needs is rejected, so that no file takes more than a few seconds or megabytes.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from zipfile import ZipFile

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

# What to tell the user about a file that was not UTF-8.
SOURCES: Mapping[str, str | Promise] = {
    "utf-16": gettext_lazy("The file was read as UTF-16."),
    "windows-1252": gettext_lazy(
        "The file is not UTF-8, so we read it as Windows-1252. Check names with accents or umlauts."
    ),
    "xlsx": gettext_lazy("The first sheet of the workbook was read."),
}
MAX_UNZIPPED_BYTES = 10_000_000  # bytes of all parts together
MAX_PARTS = 500
MAX_ELEMENTS = 250_000  # XML elements; 5,000 bikes with ten columns have some 150,000
MAX_CHARACTERS = 1_000_000  # characters of the resulting text
MAX_TEXT_BYTES = 2_000_000  # bytes of that text in UTF-8: the form that confirms an import can send no more
MAX_WORKBOOK_COLUMNS = 300  # more than an import can have, so that its columns are counted and rejected
LAST_ROW = 1_048_576  # the last possible row of any sheet
CONTROL_CHARACTER = re.compile("[\x00-\x08\x0e-\x1f]")
_MIN_TEXT_PER_CONTROL = 10  # characters; with fewer for each control character, a file is no text at all


class UnreadableSpreadsheet(Exception):
    """The file cannot be read at all; the message says what to do."""


class SpreadsheetText(NamedTuple):
    """The text, and how it was read, as a key of `SOURCES`; "" for UTF-8."""

    text: str
    source: str


def decode_spreadsheet(data: bytes) -> SpreadsheetText:
    """Return the text of a file, with "\\n" as line ends.

    Raises:
        UnreadableSpreadsheet: it is neither text nor a workbook; the message says what to do.
    """
    if data.startswith(b"PK\x03\x04"):
        return SpreadsheetText(normalise_text(_read_workbook(data)), "xlsx")
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnreadableSpreadsheet(_("This is an old Excel file (.xls). Save it as .xlsx or CSV and choose it again."))
    if data.startswith(b"%PDF-"):
        raise UnreadableSpreadsheet(
            _("This is a PDF, whatever its name. Open the list in your spreadsheet and save it as .xlsx or CSV.")
        )
    stray = None
    for encoding, source in _list_encodings(data):
        try:
            text = normalise_text(data.decode(encoding))
        except UnicodeDecodeError:
            continue
        controls = CONTROL_CHARACTER.findall(text)
        if not controls:
            return SpreadsheetText(text, source)
        if len(controls) * _MIN_TEXT_PER_CONTROL < len(text):
            stray = stray or _describe_control(text)
    raise UnreadableSpreadsheet(
        stray or _("This is not a CSV file or an Excel workbook. Save your spreadsheet as .xlsx or CSV.")
    )


def normalise_text(text: str) -> str:
    """Return the text with "\\n" as line ends and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _describe_control(text: str) -> str:
    """Return a sentence that says where the first control character is."""
    match = CONTROL_CHARACTER.search(text)
    assert match is not None
    before = text[: match.start()]
    place = {"line": before.count("\n") + 1, "character": len(before) - (before.rfind("\n") + 1) + 1}
    return (
        _(
            "Line %(line)s has a character that is no text, at position %(character)s. Delete it, or save your "
            "spreadsheet as .xlsx or CSV again."
        )
        % place
    )


def _list_encodings(data: bytes) -> list[tuple[str, str]]:
    """Return the encodings to try, the likeliest first, each with its key in `SOURCES`."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return [("utf-16", "utf-16")]
    # In UTF-16, half of the bytes of Western text are zero; in the other encodings, no byte of a text is zero.
    if data[1::2].count(0) * 4 > len(data):
        return [("utf-16-le", "utf-16")]
    if data[::2].count(0) * 4 > len(data):
        return [("utf-16-be", "utf-16")]
    return [("utf-8-sig", ""), ("cp1252", "windows-1252")]


def _read_workbook(data: bytes) -> str:
    """Return the first visible sheet as CSV; each row of the sheet, even a blank one, is a record of the text.

    Raises:
        UnreadableSpreadsheet: it is not a workbook, or far larger than an import.
    """
    try:
        _check_size(data)
        text = _write_csv(_list_rows(data))
        if len(text.encode()) > MAX_TEXT_BYTES:
            raise _refuse_text()
        return text
    except UnreadableSpreadsheet:
        raise
    except Exception as error:
        # With a damaged part the libraries can raise any exception.
        raise UnreadableSpreadsheet(
            _("This workbook is damaged. Open it in your spreadsheet and save it again.")
        ) from error


def _check_size(data: bytes) -> None:
    """Raise `UnreadableSpreadsheet` if the archive is too large; a part never unzips to more than its declared size."""
    too_large = UnreadableSpreadsheet(
        _("This workbook is too large. Copy only what you want to import to a new one and choose that.")
    )
    with ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNZIPPED_BYTES:
            raise too_large
        if "xl/workbook.xml" not in archive.namelist():
            raise UnreadableSpreadsheet(_("This is not an Excel workbook. Save your spreadsheet as .xlsx or CSV."))
        elements = 0
        for part in parts:
            text = archive.read(part)
            elements += text.count(b"<") - text.count(b"</")
            if elements > MAX_ELEMENTS:
                raise too_large


def _list_rows(data: bytes) -> Iterator[Sequence[Any]]:
    """Yield the rows of the first visible sheet. Styles, other sheets and macros are never parsed."""
    from openpyxl.reader.excel import ExcelReader
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet

    reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    reader.read_manifest()
    reader.read_strings()
    reader.read_workbook()
    for sheet, relation in reader.parser.find_sheets():
        if sheet.state == "visible" and "chartsheet" not in relation.Type:
            worksheet = ReadOnlyWorksheet(reader.wb, sheet.name, relation.target, reader.shared_strings)
            worksheet.reset_dimensions()  # many programs write wrong dimensions
            yield from worksheet.iter_rows(max_row=LAST_ROW, max_col=MAX_WORKBOOK_COLUMNS, values_only=True)
            return


def _write_csv(rows: Iterable[Sequence[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    blank, last_blank = 0, None
    for row in rows:
        # For omitted rows the library yields the same tuple again and again, up to a million times.
        if row is last_blank or row.count(None) == len(row):
            blank, last_blank = blank + 1, row  # written only if another row follows
            continue
        cells = [_format_cell(cell) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
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
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)

"""Converts the first sheet of an Excel workbook to CSV text, so that the rest of the import needs to handle only text.

Invariant: the size of a workbook is checked before it is parsed. A workbook that unzips to more bytes or elements than
any import needs is rejected, so that no file takes more than a few seconds or megabytes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from zipfile import BadZipFile, ZipFile

from django.utils.translation import gettext as _

from scorekeeper.common.spreadsheet_errors import UnreadableSpreadsheet

MAX_UNZIPPED_BYTES = 10_000_000  # bytes of all parts together
MAX_PARTS = 500
MAX_ELEMENTS = 250_000  # XML elements; 5,000 bikes with ten columns have some 150,000
MAX_CHARACTERS = 1_000_000  # characters of the resulting text
MAX_COLUMNS = 300  # more than an import can have, so that the parser notices and rejects too many
LAST_ROW = 1_048_576  # the last possible row of any sheet


def read_workbook(data: bytes) -> str:
    """Return the first visible sheet as CSV; each row of the sheet, even a blank one, is a record of the text.

    Raises:
        UnreadableSpreadsheet: it is not a workbook, or far larger than an import.
    """
    _check_size(data)
    try:
        return _write_csv(_list_rows(data))
    except UnreadableSpreadsheet:
        raise
    except Exception as error:
        # With a damaged part the library can raise any exception.
        raise UnreadableSpreadsheet(
            _("This workbook is damaged. Open it in your spreadsheet and save it again.")
        ) from error


def _check_size(data: bytes) -> None:
    """Raise `UnreadableSpreadsheet` if the archive is too large; a part never unzips to more than its declared size."""
    too_large = UnreadableSpreadsheet(
        _("This workbook is too large. Copy only what you want to import to a new one and choose that.")
    )
    try:
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
    except (BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise UnreadableSpreadsheet(
            _("This workbook is damaged. Open it in your spreadsheet and save it again.")
        ) from error


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
            yield from worksheet.iter_rows(max_row=LAST_ROW, max_col=MAX_COLUMNS, values_only=True)
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
        text.write("\n" * blank)
        blank = 0
        writer.writerow(cells)
        if text.tell() > MAX_CHARACTERS:
            raise UnreadableSpreadsheet(
                _("This workbook has more text than an import needs. Keep only what you want to import.")
            )
    return text.getvalue()


def _format_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)

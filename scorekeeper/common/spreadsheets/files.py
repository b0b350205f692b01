"""Converts an uploaded file to CSV text, from CSV in one of three encodings or from an Excel workbook."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.spreadsheets.workbooks import UnreadableSpreadsheet, WorkbookSheet, read_workbook

# What to tell the user about a file that was not UTF-8.
SOURCES: Mapping[str, str | Promise] = {
    "utf-16": gettext_lazy("The file was read as UTF-16."),
    "windows-1252": gettext_lazy(
        "The file is not UTF-8, so we read it as Windows-1252. Check names with accents or umlauts."
    ),
    "xlsx": "",
}
CONTROL_CHARACTER = re.compile("[\x00-\x08\x0e-\x1f]")
_MIN_TEXT_PER_CONTROL = 10  # characters; with fewer for each control character, a file is no text at all


class SpreadsheetText(NamedTuple):
    """The text, and how it was read, as a key of `SOURCES`; "" for UTF-8.

    Attributes:
        sheets: of a workbook, the fullest first; the text is the first one's.
    """

    text: str
    source: str
    sheets: Sequence[WorkbookSheet] = ()


def decode_spreadsheet(data: bytes) -> SpreadsheetText:
    """Return the text of a file, with "\\n" as line ends.

    Raises:
        UnreadableSpreadsheet: it is neither text nor a workbook; the message says what to do.
    """
    if data.startswith(b"PK\x03\x04"):
        sheets = [WorkbookSheet(name, normalise_text(text)) for name, text in read_workbook(data)]
        return SpreadsheetText(sheets[0].text, "xlsx", sheets)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnreadableSpreadsheet(
            _("This is an old Excel file (.xls), or one with a password. Save it as .xlsx or CSV and choose it again.")
        )
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

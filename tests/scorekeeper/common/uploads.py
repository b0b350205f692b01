"""Files that clubs upload as a list of bikes or crew: usual variants, damaged ones, and files of another kind.

Every page that takes such a list is tested with all of them, `{...}` being what differs between the lists.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from zipfile import ZipFile

from tests.scorekeeper.common.test_spreadsheet_files import make_workbook

NAME = "Zoë Lund"
NOT_A_TABLE = "This is not a CSV file or an Excel workbook. Save your spreadsheet as .xlsx or CSV."
UNCLOSED = "Row 3: a quotation mark is opened and never closed. Close it, or delete it."


@dataclass(frozen=True)
class UploadedList:
    """A list as a page expects it.

    Attributes:
        header: its column names.
        row: a row, with "{}" for a person's name.
        second_row: another valid row.
        nothing_below: what the page says about column names alone.
    """

    header: str
    row: str
    second_row: str
    nothing_below: str

    def write(self, *names: str) -> str:
        """Return the list with a row for each name, of which only the first two can be imported together."""
        rows = [self.row, self.second_row]
        return "\n".join([self.header, *(rows[place % 2].format(name) for place, name in enumerate(names))]) + "\n"


def make_readable(upload: UploadedList) -> Mapping[str, bytes]:
    """Return the variants from which the person `NAME` is imported, by what is special about them."""
    plain = upload.write(NAME)
    mixed = plain.replace("\n", "\r\n", 1) + upload.second_row.format("Ben") + "\r"
    return {
        "plain": plain.encode(),
        "byte order mark": plain.encode("utf-8-sig"),
        "semicolons": plain.replace(",", ";").encode(),
        "tabs": plain.replace(",", "\t").encode(),
        "separator line of Excel": ("sep=;\n" + plain.replace(",", ";")).encode(),
        "Latin-1": plain.encode("latin-1"),
        "Windows-1252": plain.encode("cp1252"),
        "UTF-16": plain.encode("utf-16"),
        "UTF-16 without a mark": plain.encode("utf-16-le"),
        "mixed line ends": mixed.encode(),
        "no last line end": plain.rstrip("\n").encode(),
        "blank lines": plain.replace("\n", "\n\n,,\n").encode(),
        "a column twice": "\n".join(f"{line},{line.rpartition(',')[2]}" for line in plain.splitlines()).encode(),
        "workbook that is called CSV": make_workbook([line.split(",") for line in plain.splitlines()]),
    }


def make_unreadable(upload: UploadedList) -> Mapping[str, tuple[bytes, str]]:
    """Return what cannot be imported and what the page says, by what is wrong."""
    plain = upload.write("Ann")
    row = upload.row.format("Ann")
    archive = io.BytesIO()
    with ZipFile(archive, "w") as file:
        file.writestr("list.csv", plain)
    return {
        "no byte": (b"", "The file is empty. Choose another one, or paste its content below."),
        "only blank lines": (
            b"\n , \n\n",
            "The file is empty. The first row must have column names, such as",
        ),
        "only a byte order mark": (b"\xef\xbb\xbf", "The file is empty. The first row must have column names"),
        "only column names": (f"{upload.header}\n".encode(), upload.nothing_below),
        "10,000 lines": (
            (plain + f"{row}\n" * 10_000).encode(),
            "There are more than 5000 rows. Split them into several files.",
        ),
        "huge field": (
            (plain + upload.row.format("x" * 500_000)).encode(),
            "Row 3: a cell is longer than 1000 characters. A quotation mark may be missing.",
        ),
        "long field": (
            (plain + upload.row.format("x" * 1_001)).encode(),
            "is longer than 1000 characters. A quotation mark may be missing.",
        ),
        "quote that never closes": ((plain + upload.row.format('"Ben') + f"\n{row}\n").encode(), UNCLOSED),
        "text after a quote": (
            (plain + upload.row.format('"Ben" Lund')).encode(),
            "Row 3: text follows a closing quotation mark. Write a quotation mark within quotation marks twice.",
        ),
        "NUL": (
            upload.write("An\0n").encode(),
            f"Line 2 has a character that is no text, at position {row.index('Ann') + 3}. Delete it, or save your "
            "spreadsheet as .xlsx or CSV again.",
        ),
        "more cells than columns": (
            f"{plain}{row},,,,more\n".encode(),
            "Row 3: more cells than column names. Name each column, or put a cell with a comma in quotation marks.",
        ),
        "PDF": (
            b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
            "This is a PDF, whatever its name. Open the list in your spreadsheet and save it as .xlsx or CSV.",
        ),
        "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", NOT_A_TABLE),
        "half a UTF-16 character": (plain.encode("utf-16") + b"x", NOT_A_TABLE),
        "ZIP archive": (archive.getvalue(), "This is not an Excel workbook. Save your spreadsheet as .xlsx or CSV."),
        "damaged workbook": (b"PK\x03\x04\x14\0\6\0", "This workbook is damaged."),
        "old Excel file": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is an old Excel file (.xls), or one with"),
    }

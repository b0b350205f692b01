"""The names of the export files, which are the last part of their URLs."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from scorekeeper.results.exports.export_sheets import CellValue, ExportSheet

ROWS_PER_CHUNK = 200
# A cell may begin at the start, and after any character that may be taken for a separator. Leading quotes and spaces
# are ignored.
FORMULA_START = re.compile(r"""(^|[;|\t\r\n])(?=["\s]*[=+\-@＝＋－＠])|^(?=[\t\r])""")
# Spreadsheets take the number of a further sheet, 17/2, for the 17th of February, and do not keep what was written.
DATE = re.compile(r"[0-9]{1,2}/[0-9]{1,2}")
BOM = "\ufeff"  # without it, spreadsheets do not recognise UTF-8
STANDINGS_FILE = "export.csv"
GROUPS_FILE = "groups.csv"  # only of contests whose groups are compared
STOPS_FILE = "stops.csv"  # only of contests with turns at stops
LUCK_FILE = "luck.csv"  # only of closed contests, in games with odds
FILES = (
    STANDINGS_FILE,
    "cards.csv",
    GROUPS_FILE,
    STOPS_FILE,
    LUCK_FILE,
    "prizes.csv",
    "export.xlsx",
    "export.json",
)
# Each CSV file once more for spreadsheets of a language with decimal commas: they split at semicolons, and take "12.5"
# for the 12th of May.
SEMICOLONS = "-semicolons"


def split_semicolons(file: str) -> tuple[str, bool]:
    """Return the name of a file without `SEMICOLONS`, and whether it had that."""
    plain = file.replace(SEMICOLONS, "")
    return plain, plain != file


def _name_with_semicolons(file: str) -> str:
    return file.replace(".", f"{SEMICOLONS}.")


PUBLIC_FILES = (*FILES, *(_name_with_semicolons(file) for file in FILES if file.endswith(".csv")))
# With full names and the log.
ORGANISER_FILES = (*PUBLIC_FILES, "log.csv", _name_with_semicolons("log.csv"))


def write_csv(table: ExportSheet, *, has_semicolons: bool = False) -> Iterator[bytes]:
    """Return the table as UTF-8 CSV.

    Args:
        has_semicolons: whether cells are separated by semicolons, and numbers have decimal commas.
    """
    rows: Iterator[list[CellValue]] = iter([[*table.headings.values()]])
    yield (BOM + _format_csv(rows, has_semicolons)).encode()
    body = iter(table.rows)
    while lines := _format_csv(islice(body, ROWS_PER_CHUNK), has_semicolons):
        yield lines.encode()


def _format_csv(rows: Iterable[list[CellValue]], has_semicolons: bool) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";" if has_semicolons else ",")
    writer.writerows([_format_cell(value, has_semicolons) for value in row] for row in rows)
    return text.getvalue()


def _format_cell(value: CellValue, has_semicolons: bool) -> CellValue:
    if isinstance(value, str):
        return f"'{value}" if DATE.fullmatch(value) else FORMULA_START.sub(r"\1'", value)
    return str(value).replace(".", ",") if has_semicolons and isinstance(value, float) else value


def write_json(data: Any) -> Iterator[bytes]:
    """Return plain data as JSON."""
    parts = json.JSONEncoder(ensure_ascii=False, indent=1).iterencode(data)
    while chunk := "".join(islice(parts, ROWS_PER_CHUNK * 10)):
        yield chunk.encode()
    yield b"\n"


class FileConverter:
    """A URL converter for the name of an export file."""

    regex = "|".join(name.replace(".", r"\.") for name in ORGANISER_FILES)

    def to_python(self, value: str) -> str:
        """Return the name unchanged."""
        return value

    def to_url(self, value: str) -> str:
        """Return the name unchanged."""
        return value

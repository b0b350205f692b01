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
BOM = "\ufeff"  # without it, spreadsheets do not recognise UTF-8
GROUPS_FILE = "groups.csv"  # only of contests whose groups are compared
STOPS_FILE = "stops.csv"  # only of contests with turns at stops
LUCK_FILE = "luck.csv"  # only of closed contests, in games with odds
PUBLIC_FILES = (
    "export.csv",
    "cards.csv",
    GROUPS_FILE,
    STOPS_FILE,
    LUCK_FILE,
    "prizes.csv",
    "export.xlsx",
    "export.json",
)
# With full names and the log.
ORGANISER_FILES = (*PUBLIC_FILES, "log.csv")


def write_csv(table: ExportSheet) -> Iterator[bytes]:
    """Return the table as UTF-8 CSV."""
    rows: Iterator[list[CellValue]] = iter([[*table.headings.values()]])
    yield (BOM + _format_csv(rows)).encode()
    body = iter(table.rows)
    while lines := _format_csv(islice(body, ROWS_PER_CHUNK)):
        yield lines.encode()


def _format_csv(rows: Iterable[list[CellValue]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([_escape_formula(value) for value in row] for row in rows)
    return text.getvalue()


def _escape_formula(value: CellValue) -> CellValue:
    return FORMULA_START.sub(r"\1'", value) if isinstance(value, str) else value


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

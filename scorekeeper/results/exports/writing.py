"""Tables as files, piece by piece.

What a spreadsheet would take for a formula is written with an apostrophe in front (CSV) or as a text cell (XLSX);
numbers stay numbers. A CSV may be opened with another separator than it was written with, so a text is looked at as the
cells that it would fall into then.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import islice
from typing import Any

import xlsxwriter
from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

from scorekeeper.results.exports.tables import Table, Value

ROWS_A_PIECE = 200
BYTES_A_PIECE = 64 * 1024
# A cell may begin at the start, and after whatever is taken for a separator. Quotes and spaces in front do not count.
FORMULA_START = re.compile(r"""(^|[;|\t\r\n])(?=["\s]*[=+\-@＝＋－＠])|^(?=[\t\r])""")
BOM = "\ufeff"  # without it, spreadsheets take UTF-8 for something else


def stream(request: HttpRequest, pieces: Iterable[bytes], content_type: str, name: str) -> StreamingHttpResponse:
    """Answer with a file to keep, sent as it is made."""
    # An asynchronous server would collect all of an ordinary iterator first.
    content: Any = _one_by_one(iter(pieces)) if isinstance(request, ASGIRequest) else pieces
    response = StreamingHttpResponse(content, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _one_by_one(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    take = sync_to_async(lambda: next(pieces, None))
    while (piece := await take()) is not None:
        yield piece


def write_csv(table: Table) -> Iterator[bytes]:
    """Return the table as UTF-8 CSV."""
    rows: Iterator[list[Value]] = iter([[*table.headings.values()]])
    yield (BOM + _csv_lines(rows)).encode()
    body = iter(table.rows)
    while lines := _csv_lines(islice(body, ROWS_A_PIECE)):
        yield lines.encode()


def _csv_lines(rows: Iterable[list[Value]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows([_harmless(value) for value in row] for row in rows)
    return text.getvalue()


def _harmless(value: Value) -> Value:
    return FORMULA_START.sub(r"\1'", value) if isinstance(value, str) else value


def write_xlsx(tables: Iterable[Table], title: str) -> Iterator[bytes]:
    """Return the tables as sheets of a workbook. It is put together on disk, a row in memory at a time."""
    with tempfile.TemporaryFile() as file:
        with xlsxwriter.Workbook(file, {"constant_memory": True}) as book:
            book.set_properties({"title": title})
            bold = book.add_format({"bold": True})
            for table in tables:
                sheet = book.add_worksheet(table.name)
                sheet.freeze_panes(1, 0)
                for column, heading in enumerate(table.headings.values()):
                    sheet.write_string(0, column, heading, bold)
                for number, row in enumerate(table.rows, 1):
                    _write_row(sheet, number, row)
        file.seek(0)
        while piece := file.read(BYTES_A_PIECE):
            yield piece


def _write_row(sheet: Any, number: int, row: list[Value]) -> None:
    for column, value in enumerate(row):
        if isinstance(value, int):
            sheet.write_number(number, column, value)
        elif value:
            sheet.write_string(number, column, value)


def write_json(data: Any) -> Iterator[bytes]:
    """Return plain data as JSON."""
    parts = json.JSONEncoder(ensure_ascii=False, indent=1).iterencode(data)
    while piece := "".join(islice(parts, ROWS_A_PIECE * 10)):
        yield piece.encode()
    yield b"\n"

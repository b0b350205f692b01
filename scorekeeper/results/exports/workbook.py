"""Writes tables as the sheets of a workbook (XLSX) that people sort, filter, print and read on.

All text is written as text cells, so none becomes a formula; numbers stay numbers.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any, NamedTuple

from scorekeeper.results.exports.export_sheets import ExportSheet, PlaceCell

BYTES_PER_CHUNK = 64 * 1024
WHOLE, MEAN, TENTHS, TIED = "0", "0.00", "0.0", '0"="'  # number formats; no separator of thousands, as on every page
MIN_WIDTH, MAX_WIDTH = 6, 42  # of a column, in characters
PADDING = 4  # characters: the indent, and the button of the filter beside the heading
LINE_HEIGHT = 15  # points
CHARTED_ROWS = 10  # lines in the chart of places
CHART_WIDTH, CHART_HEIGHT = 900, 460  # CSS pixels


class _Formats(NamedTuple):
    heading: Any
    text: Any
    whole: Any
    mean: Any
    tenths: Any
    tied: Any


def write_workbook(tables: Iterable[ExportSheet], title: str) -> Iterator[bytes]:
    """Return the workbook. It is built on disk, with one row in memory at a time."""
    import xlsxwriter  # only here, since few programs write a workbook

    with tempfile.TemporaryFile() as file:
        with xlsxwriter.Workbook(file, {"constant_memory": True}) as book:
            book.set_properties({"title": title})
            formats = _Formats(
                book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top", "indent": 1}),
                book.add_format({"indent": 1}),  # or a number touches the text in the next column
                book.add_format({"num_format": WHOLE}),
                book.add_format({"num_format": MEAN}),
                book.add_format({"num_format": TENTHS}),
                book.add_format({"num_format": TIED}),
            )
            for table in tables:
                _write_sheet(book, table, formats, title)
        file.seek(0)
        while chunk := file.read(BYTES_PER_CHUNK):
            yield chunk


def _write_sheet(book: Any, table: ExportSheet, formats: _Formats, title: str) -> None:
    sheet = book.add_worksheet(table.name)
    headings = list(table.headings.values())
    number_formats = [_choose_format(table, name, formats) for name in table.headings]
    widths = [_measure_heading(heading) for heading in headings]
    lines = max(len(wrap(heading, width)) for heading, width in zip(headings, widths, strict=True))
    sheet.set_row(0, LINE_HEIGHT * lines)
    for column, heading in enumerate(headings):
        sheet.write_string(0, column, heading, formats.heading)
    last = 0
    for last, row in enumerate(table.rows, 1):
        for column, value in enumerate(row):
            if isinstance(value, PlaceCell):
                sheet.write_number(last, column, value.rank, formats.tied if value.is_tied else formats.whole)
            elif isinstance(value, int | float):
                sheet.write_number(last, column, value, number_formats[column])
            elif value:
                sheet.write_string(last, column, value, formats.text)
            widths[column] = max(widths[column], len(str(value or "")))
    for column, width in enumerate(widths):
        sheet.set_column(column, column, min(max(width + PADDING, MIN_WIDTH), MAX_WIDTH))
    sheet.freeze_panes(1, table.fixed)
    sheet.autofilter(0, 0, last, len(headings) - 1)
    _prepare_print(sheet, title)
    if table.charted_from is not None and last:
        _add_place_chart(book, sheet, table, last)


def _choose_format(table: ExportSheet, name: str, formats: _Formats) -> Any:
    if name in table.means:
        return formats.mean
    return formats.tenths if name in table.tenths else formats.whole


def _measure_heading(heading: str) -> int:
    """Return the least width of a heading, whose words may be on lines of their own."""
    return max(len(word) for word in heading.split())


def _prepare_print(sheet: Any, title: str) -> None:
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)  # as wide as one page, as long as needed
    sheet.repeat_rows(0)
    # "&" starts a code in headers and footers.
    sheet.set_header(f"&L{title.replace('&', '&&')}&R&A")
    sheet.set_footer("&C&P / &N")


def _add_place_chart(book: Any, sheet: Any, table: ExportSheet, last: int) -> None:
    """Add a chart beside the table: the places of the first entrants from turn to turn, the first place on top."""
    names = list(table.headings)
    first = names.index(str(table.charted_from))
    final = names.index("final")
    chart = book.add_chart({"type": "line"})
    for row in range(1, min(last, CHARTED_ROWS) + 1):
        chart.add_series(
            {
                "name": [table.name, row, first - 1],
                "categories": [table.name, 0, first, 0, final],
                "values": [table.name, row, first, row, final],
                "marker": {"type": "circle", "size": 5},
            }
        )
    chart.set_title({"name": table.name})
    # The axis runs downwards; "crossing" keeps the names of the turns below the last place.
    chart.set_y_axis({"reverse": True, "min": 1, "major_unit": 1, "num_format": WHOLE, "crossing": "max"})
    chart.show_blanks_as("gap")
    chart.set_size({"width": CHART_WIDTH, "height": CHART_HEIGHT})
    sheet.insert_chart(1, len(names) + 1, chart, {"description": table.name})

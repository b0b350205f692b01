"""Reading an Excel workbook: its first sheet as text, and the limits on its size."""

from __future__ import annotations

import io
import time
import tracemalloc
from collections.abc import Sequence
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import xlsxwriter

from scorekeeper.common.spreadsheets.files import UnreadableSpreadsheet, decode_spreadsheet
from scorekeeper.events.models import Event
from scorekeeper.players.roster_import import RosterImporter

ROWS: list[list[object]] = [["Startnr", "Bike", "Fahrer"], [57, "Honda", "Jürgen H."], [], ["x", "BMW", "Ida"]]


def make_workbook(*sheets: Sequence[Sequence[object]]) -> bytes:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        for rows in sheets:
            sheet = book.add_worksheet()
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return file.getvalue()


def replace_part(workbook: bytes, name: str, text: bytes) -> bytes:
    """Return the workbook with one part replaced."""
    file = io.BytesIO()
    with ZipFile(io.BytesIO(workbook)) as old, ZipFile(file, "w", ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, text if part == name else old.read(part))
    return file.getvalue()


def test_the_first_sheet_is_read_with_its_row_numbers() -> None:
    text, source = decode_spreadsheet(make_workbook(ROWS, [["another sheet"]]))

    assert (text, source) == ("Startnr,Bike,Fahrer\n57,Honda,Jürgen H.\n\nx,BMW,Ida\n", "xlsx")
    assert [problem.row for problem in RosterImporter(Event()).read_text(text).problems] == [4]


@pytest.mark.parametrize(
    "part", ["xl/styles.xml", "xl/theme/theme1.xml", "xl/worksheets/sheet2.xml", "docProps/core.xml"]
)
def test_styles_and_other_sheets_are_never_parsed(part: str) -> None:
    """The library's usual way parses them all; after an upgrade of openpyxl, see that ours still does not."""
    workbook = make_workbook(ROWS, [["not read"]])
    assert part in ZipFile(io.BytesIO(workbook)).namelist()

    read = decode_spreadsheet(replace_part(workbook, part, b"<not>xml"))

    assert read == decode_spreadsheet(workbook)


def test_commas_line_breaks_and_whole_numbers_are_preserved() -> None:
    (row,) = (
        RosterImporter(Event())
        .read_text(decode_spreadsheet(make_workbook([["number", "passengers"], [7.0, "Zoe, Max\nKit"]])).text)
        .rows
    )

    assert (row.number, row.passengers) == (7, ("Zoe", "Max", "Kit"))


SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
MAIN = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        (SHEET, b"<worksheet " + MAIN + b">" + b" " * 20_000_000 + b"</worksheet>", "too large"),
        (STRINGS, b"<sst " + MAIN + b">" + b"<si/>" * 400_000 + b"</sst>", "too large"),
        (
            SHEET,
            b"<worksheet " + MAIN + b'><sheetData><row r="1">' + b'<c t="s"><v>0</v></c>' * 20_000 + b"</row>" * 1,
            "damaged",
        ),
        (
            SHEET,
            b"<worksheet "
            + MAIN
            + b"><sheetData>"
            + b'<row><c t="inlineStr"><is><t>'
            + b"x" * 2_000_000
            + b"</t></is></c></row></sheetData></worksheet>",
            "more text",
        ),
        (SHEET, b"<!DOCTYPE x [<!ENTITY a '" + b"x" * 9_000 + b"'>]><worksheet>" + b"&a;" * 90_000, "damaged"),
        (SHEET, b"<worksheet", "damaged"),
    ],
    ids=["unzipped", "elements", "cells", "text", "entities", "cut"],
)
def test_a_damaged_workbook_or_zip_bomb_is_rejected_quickly(part: str, text: bytes, message: str) -> None:
    workbook = replace_part(make_workbook(ROWS), part, text)
    before = time.process_time()

    with pytest.raises(UnreadableSpreadsheet, match=message):
        decode_spreadsheet(workbook)

    assert time.process_time() - before < 5


def test_a_cell_in_the_last_row_and_column_takes_no_memory_and_is_rejected() -> None:
    row = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="A1048576"><v>1</v></c></row>'
    sheet = b"<worksheet " + MAIN + b"><sheetData>" + row + b"</sheetData></worksheet>"
    before = time.process_time()

    with pytest.raises(UnreadableSpreadsheet, match="more text"):
        decode_spreadsheet(replace_part(make_workbook(ROWS), SHEET, sheet))
    assert time.process_time() - before < 5


def test_cells_that_share_one_long_text_take_little_memory_and_are_rejected() -> None:
    strings = b"<sst " + MAIN + b"><si><t>" + b"x" * 900_000 + b"</t></si></sst>"
    row = b"<row>" + b'<c t="s"><v>0</v></c>' * 300 + b"</row>"
    sheet = b"<worksheet " + MAIN + b"><sheetData>" + row + b"</sheetData></worksheet>"
    workbook = replace_part(replace_part(make_workbook(ROWS), SHEET, sheet), STRINGS, strings)
    tracemalloc.start()

    with pytest.raises(UnreadableSpreadsheet, match="more text"):
        decode_spreadsheet(workbook)

    assert tracemalloc.get_traced_memory()[1] < 100_000_000
    tracemalloc.stop()


def test_more_text_than_the_form_that_confirms_can_send_is_rejected() -> None:
    notes = "山" * 400
    assert len(decode_spreadsheet(make_workbook([["number", "notes"], *([n, notes] for n in range(1_500))])).text)

    with pytest.raises(UnreadableSpreadsheet, match="more text"):
        decode_spreadsheet(make_workbook([["number", "notes"], *([n, notes] for n in range(2_300))]))


def test_another_zip_archive_is_rejected() -> None:
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("content.xml", "<office/>")

    with pytest.raises(UnreadableSpreadsheet, match="not an Excel workbook"):
        decode_spreadsheet(file.getvalue())

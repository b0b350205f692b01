"""Reading an Excel workbook: its sheets as text, and the limits on its size."""

from __future__ import annotations

import datetime
import io
import time
import tracemalloc
from collections.abc import Sequence
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import xlsxwriter

from scorekeeper.common.spreadsheets.files import decode_spreadsheet
from scorekeeper.common.spreadsheets.workbooks import UnreadableSpreadsheet
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


def test_a_sheet_is_read_with_its_row_numbers() -> None:
    read = decode_spreadsheet(make_workbook(ROWS, [["another sheet"]]))

    assert (read.text, read.source) == ("Startnr,Bike,Fahrer\n57,Honda,Jürgen H.\n\nx,BMW,Ida\n", "xlsx")
    assert [problem.row for problem in RosterImporter(Event()).read_text(read.text).problems] == [4]


def test_the_fullest_sheet_comes_first_and_instructions_do_not_count() -> None:
    instructions = [[f"Step {number}"] for number in range(1, 40)]

    sheets = decode_spreadsheet(make_workbook(instructions, ROWS, [])).sheets

    assert [sheet.name for sheet in sheets] == ["Sheet2", "Sheet1"]


def test_a_merged_cell_stands_in_all_of_its_rows() -> None:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet()
        sheet.merge_range("A1:C1", "Dice Ride 2026")
        for row, cells in enumerate((("number", "rider"), (1, "Ann Example"), (2, ""), (3, "Cid Example")), 1):
            sheet.write_row(row, 0, cells)
        sheet.write("C2", "group")
        sheet.merge_range("C3:C5", "One")

    text = decode_spreadsheet(file.getvalue()).text

    assert text == "Dice Ride 2026\nnumber,rider,group\n1,Ann Example,One\n2,,One\n3,Cid Example,One\n"


def test_dates_and_the_results_of_formulas_are_read_as_they_are() -> None:
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"default_date_format": "d-mmm"}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["number", "model"])
        sheet.write_formula("A2", "=A9+1", None, 12)
        sheet.write_datetime("B2", datetime.date(2026, 3, 9))

    assert decode_spreadsheet(file.getvalue()).text == "number,model\n12,2026-03-09\n"


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
        (SHEET, b"<worksheet", "damaged"),
    ],
    ids=["unzipped", "elements", "cells", "text", "cut"],
)
def test_a_damaged_workbook_or_zip_bomb_is_rejected_quickly(part: str, text: bytes, message: str) -> None:
    workbook = replace_part(make_workbook(ROWS), part, text)
    before = time.process_time()

    with pytest.raises(UnreadableSpreadsheet, match=message):
        decode_spreadsheet(workbook)

    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    "row",
    [
        b'<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="A1048576"><v>1</v></c></row>',
        b"<row r='1048576'><c r = 'xfd1048576'><v>1</v></c></row>",
        b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576">' + b"<c><v>1</v></c>" * 9_000 + b"</row>",
        b'<row r="1"><c r="XFC1"><v>1</v></c></row>' + b"<row><c><v>1</v></c></row>" * 90,
    ],
    ids=["far away", "other signs", "without places", "rows without places"],
)
def test_cells_far_from_each_other_take_no_memory_and_are_rejected(row: bytes) -> None:
    sheet = b"<worksheet " + MAIN + b"><sheetData>" + row + b"</sheetData></worksheet>"
    before = time.process_time()

    with pytest.raises(UnreadableSpreadsheet, match="far away"):
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


def test_entities_are_not_expanded() -> None:
    bomb = b"<!DOCTYPE x [<!ENTITY a '" + b"x" * 9_000 + b"'>]><worksheet>" + b"&a;" * 90_000

    assert decode_spreadsheet(replace_part(make_workbook(ROWS), SHEET, bomb)).text == ""


def test_another_zip_archive_is_rejected() -> None:
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr("content.xml", "<office/>")

    with pytest.raises(UnreadableSpreadsheet, match="not an Excel workbook"):
        decode_spreadsheet(file.getvalue())

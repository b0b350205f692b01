"""No text in an export becomes a formula, whichever separator a spreadsheet uses to open it."""

from __future__ import annotations

import csv
import io
from itertools import product

import pytest
from openpyxl import load_workbook

from scorekeeper.results.exports.export_sheets import CellValue, ExportSheet
from scorekeeper.results.exports.workbook import write_workbook
from scorekeeper.results.exports.writers import write_csv

STARTS = ("=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "\uff1d1+1", ' "=1"')
AROUND = ("{}", "Ann;{}", "Ann\t{}", "Ann\n{}", 'Ann;"{}"', "Ann|{}")
FORMULAS = [around.format(start) for start, around in product(STARTS, AROUND)]
NUMBERS = (0, 7, -3, -1000)


def make_table() -> ExportSheet:
    rows: list[list[CellValue]] = [[formula, *NUMBERS, f"before {formula}", formula] for formula in FORMULAS]
    return ExportSheet("Standings", dict.fromkeys("abcdefg", "=1+1"), rows)


@pytest.mark.parametrize("separator", list(",;\t|"))
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_NONE])
def test_no_text_of_a_csv_becomes_a_formula_with_any_separator(separator: str, quoting: int) -> None:
    assert len(FORMULAS) >= 50
    text = b"".join(write_csv(make_table())).decode("utf-8-sig")

    # A reader that ignores quotes also splits at the commas between our cells; then a cell begins with its quote.
    lines = [text] if quoting == csv.QUOTE_MINIMAL else text.splitlines()
    for line in lines:
        for row in csv.reader(io.StringIO(line, newline=""), delimiter=separator, quoting=quoting):  # type: ignore[arg-type]
            assert [cell for cell in row if is_formula(cell, separator)] == []


def is_formula(cell: str, separator: str) -> bool:
    """Whether a spreadsheet would evaluate the cell: it begins like a formula, and is not a number."""
    begins_so = cell.strip(' "\t\r\n').startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20"))
    return begins_so and not cell.lstrip("-").isdigit()


def test_numbers_stay_numbers_and_texts_stay_texts_in_both_files() -> None:
    text = b"".join(write_csv(make_table())).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert {tuple(row[1:5]) for row in rows} == {tuple(map(str, NUMBERS))}
    assert rows[0][0] == "'=1+1"

    book = load_workbook(io.BytesIO(b"".join(write_workbook([make_table()], "Results"))))
    cells = [cell for row in book["Standings"].iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert {cell.value for cell in cells if cell.data_type == "n"} == set(NUMBERS)


def test_text_that_is_not_a_formula_is_unchanged() -> None:
    plain = ["Ann-Marie O'Brien", "a = b; c - d", "6-1", '{"points": -5}', "–", "1; 2"]
    text = b"".join(write_csv(ExportSheet("", {"a": "A"}, [[one] for one in plain]))).decode("utf-8-sig")
    assert [row[0] for row in csv.reader(io.StringIO(text, newline=""))] == ["A", *plain]


def test_the_number_of_a_further_sheet_does_not_become_a_date() -> None:
    rows: list[list[CellValue]] = [["17/2"], ["2/2"], ["117/2"], ["12A/2"], ["sold 2/2"]]
    text = b"".join(write_csv(ExportSheet("", {"a": "Bike"}, rows))).decode("utf-8-sig")
    assert text.splitlines() == ["Bike", "'17/2", "'2/2", "117/2", "12A/2", "sold 2/2"]

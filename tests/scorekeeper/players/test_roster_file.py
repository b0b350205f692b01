"""Parsing a roster as spreadsheets export it."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.common.spreadsheets.files import decode_spreadsheet
from scorekeeper.common.spreadsheets.importer import Choices, Reading
from scorekeeper.common.spreadsheets.sheets import MAX_ROWS, describe_problems
from scorekeeper.common.spreadsheets.workbooks import UnreadableSpreadsheet
from scorekeeper.events.models import Event
from scorekeeper.players.roster_import import SAMPLE_CSV, RosterImporter, RosterRow

PLAIN = "number,rider,passengers,make,model,group\n1,Ann,Zoe,Honda,Rebel,One\n2,Ben,,BMW,,Two\n"


def read_roster(text: str, chosen: Mapping[int, str] | None = None) -> Reading[RosterRow]:
    return RosterImporter(Event()).read_text(text, Choices(chosen))


def problems_of(text: str) -> list[str]:
    roster = read_roster(text)
    assert roster.problems, "nothing was found wrong"
    return describe_problems(roster.problems)


def fields_of(text: str) -> dict[str, str]:
    """Return the field of each column by its name; "" for columns that are not used."""
    return {column.name: column.field for column in read_roster(text).columns}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_all_csv_variants_give_the_same_result(separator: str, line_end: str, mark: str) -> None:
    variant = mark + PLAIN.replace(",", separator).replace("\n", line_end)

    roster = read_roster(decode_spreadsheet(variant.encode()).text)

    assert roster.problems == []
    assert roster.rows == read_roster(PLAIN).rows
    assert [(row.row_number, row.number, row.passengers) for row in roster.rows] == [(2, 1, ("Zoe",)), (3, 2, ())]
    assert roster.rows[0].cells == {"rider": "Ann", "make": "Honda", "model": "Rebel", "group": "One"}


@pytest.mark.parametrize(
    "header",
    [
        *("number,rider,passenger", "Bike No.,Name,Pillion", "#,DRIVER, passenger(s) "),
        *("start_number,Rider Name,Co-rider", "Start-Nr,Fahrer,Sozius", "Startnr.,Fahrerin,Beifahrer"),
    ],
)
def test_columns_can_have_several_names(header: str) -> None:
    (row,) = read_roster(f"{header}\n57,Ida,Zoe\n").rows

    assert (row.number, dict(row.cells), row.passengers) == (57, {"rider": "Ida"}, ("Zoe",))


@pytest.mark.parametrize("name", ["Machine", "Make and model", "Model"])
def test_one_column_for_make_and_model_is_the_model(name: str) -> None:
    (row,) = read_roster(f"Number,Rider,{name}\n57,Ida,Royal Enfield\n").rows

    assert row.cells == {"rider": "Ida", "model": "Royal Enfield"}


def test_columns_can_have_any_order_and_unknown_ones_are_listed() -> None:
    roster = read_roster("Phone,Rider,Number\n555,Ida,57\n")

    assert [column.name for column in roster.columns if not column.field] == ["Phone"]
    assert (roster.rows[0].number, dict(roster.rows[0].cells)) == (57, {"rider": "Ida"})


def test_a_missing_column_gives_no_value_and_an_empty_cell_an_empty_one() -> None:
    (row,) = read_roster("number,make\n57,\n").rows

    assert row.cells == {"make": ""}
    assert row.passengers is None


def test_passengers_can_be_in_one_cell_or_several() -> None:
    one_cell = read_roster('number,passengers\n57,"Zoe; Max / Kit"\n').rows[0]
    several_cells = read_roster("number,passenger,passenger,passenger\n57,Zoe,Max,Kit\n").rows[0]

    assert one_cell.passengers == several_cells.passengers == ("Zoe", "Max", "Kit")


def test_blank_rows_are_skipped_but_counted() -> None:
    text = "\n\nnumber,rider\n\n1,Ann\n,,\n\nx,Ben\n"

    assert [row.row_number for row in read_roster(text).rows] == [5]
    assert problems_of(text) == [
        "Cell A8: the number is not one from 1 to 99999, perhaps with letters, such as 12A (“x”)."
    ]


def test_rows_are_numbered_as_in_a_spreadsheet() -> None:
    text = 'number,rider\n1,"Ann\nMiller"\nx,Ben\n'

    assert read_roster(text).rows[0].cells["rider"] == "Ann Miller"
    assert problems_of(text) == [
        "Cell A3: the number is not one from 1 to 99999, perhaps with letters, such as 12A (“x”)."
    ]


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "100000", "१", "٣", "1e3", "9" * 900, "²"])
def test_an_invalid_number_is_reported_with_its_row(number: str) -> None:
    (problem,) = problems_of(f"number\n{number}\n")

    assert problem.startswith("Cell A2: the number is not one from 1 to 99999, perhaps with letters, such as 12A (“")
    assert len(problem) < 150


def test_all_problems_are_found_at_once_and_grouped() -> None:
    lines = [
        "number,rider,passengers,make",
        "1,Ann,,",
        "1,Ben,,",
        ",Cleo,,",
        f"4,{'x' * 81},,",
        f"5,,Zoe;{'y' * 81},{'z' * 61}",
        "6,a,b,c,d",
        ",Dan,,",
        ",Eve,,",
        "1.5,Fay,,",
        "x,Gus,,",
    ]

    assert problems_of("\n".join(lines)) == [
        "Rows 2 and 3: number 1 is used more than once.",
        "Cells A4, A8 and A9: there is no number. Type one, or let numbers be given.",
        "Cell B5: Rider: longer than 80 characters.",
        "Cell D6: Make: longer than 60 characters.",
        "Cell C6: Passengers: longer than 80 characters.",
        "Row 7: more cells than column names. Name each column, or put a cell with a comma in quotation marks.",
        "Cells A10 and A11: the number is not one from 1 to 99999, perhaps with letters, such as 12A (“1.5”, “x”).",
    ]


def test_a_repeated_number_is_found_in_a_row_with_another_problem_too() -> None:
    assert problems_of(f"number,rider\n1,{'x' * 81}\n1,Ben\n") == [
        "Cell B2: Rider: longer than 80 characters.",
        "Rows 2 and 3: number 1 is used more than once.",
    ]


def test_only_the_first_of_very_many_rows_with_a_problem_are_listed() -> None:
    (problem,) = problems_of("number,rider\n" + ",Ann\n" * 30)

    assert problem.startswith("Cells A2, A3, A4,")
    assert problem.endswith("A21 and 10 more: there is no number. Type one, or let numbers be given.")


def test_the_number_is_guessed_from_names_and_content_and_shown() -> None:
    named = "Bike,Startnr,Phone,Name\nHonda,57,0170123,Ida\nBMW,9,0170456,Zoe\n"
    assert fields_of(named) == {"Bike": "make", "Startnr": "number", "Phone": "", "Name": "rider"}
    assert [(row.number, row.cells["make"]) for row in read_roster(named).rows] == [(57, "Honda"), (9, "BMW")]
    assert fields_of("Bike,Name\n57,Ida\n")["Bike"] == "number"
    assert fields_of("Dossard,Pilote\n57,Ida\n9,Zoe\n") == {"Dossard": "number", "Pilote": "rider"}
    assert fields_of("no,number\n1,2\n") == {"no": "", "number": "number"}
    assert fields_of("1,Ann\n2,Ben\n") == {"1": "", "Ann": ""}, "that row is a bike, not the names of columns"


def test_columns_are_read_as_chosen() -> None:
    text = "A,B,C,D\n57,Ida,Zoe,Max\n"

    (row,) = read_roster(text, {0: "number", 1: "rider", 2: "passengers", 3: "passengers"}).rows
    assert (row.number, dict(row.cells), row.passengers) == (57, {"rider": "Ida"}, ("Zoe", "Max"))
    roster = read_roster(text, {0: "number", 1: "rider", 2: "rider"})
    assert describe_problems(roster.problems) == ["Only one column can be Rider: choose between “B”, “C”."]
    assert [column.samples for column in roster.columns] == [("57",), ("Ida",), ("Zoe",), ("Max",)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "The file is empty. The first row must have column names, such as number,rider."),
        (" \n\n,,\n", "The file is empty. The first row must have column names, such as number,rider."),
        ("number,rider\n", "There are column names but no bikes below them. Add a row for each bike."),
        (
            "1,Ann\n2,Ben\n",
            "No column has the bikes’ numbers. Choose it, or let numbers be given.",
        ),
        ('number,rider\n1,"Ann\n', "Row 2: a quotation mark is opened and never closed. Close it, or delete it."),
        ("number\n" + "1\n" * (MAX_ROWS + 1), "There are more than 5000 rows. Split them into several files."),
    ],
)
def test_a_file_that_is_not_a_roster_is_explained(text: str, problem: str) -> None:
    assert problems_of(text) == [problem]
    assert read_roster(text).rows == []


@pytest.mark.parametrize(
    ("encoding", "source"),
    [
        *(("utf-8", ""), ("utf-8-sig", ""), ("cp1252", "windows-1252")),
        *(("utf-16", "utf-16"), ("utf-16-le", "utf-16"), ("utf-16-be", "utf-16")),
    ],
)
def test_every_usual_encoding_is_read(encoding: str, source: str) -> None:
    text = "number,rider\n1,Jörg “Jo”\n"

    assert decode_spreadsheet(text.encode(encoding)) == (text, source, ())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04\x14\x00\x06\x00", "This workbook is damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel file"),
        (b"%PDF-1.7\n\x01\x02\xe2\xe3", "This is a PDF"),
        (b"number\n\x81\n", "not a CSV file or an Excel workbook"),
    ],
)
def test_a_file_that_is_neither_text_nor_workbook_is_explained(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableSpreadsheet, match=message):
        decode_spreadsheet(data)


def test_the_sample_is_a_roster() -> None:
    roster = read_roster(SAMPLE_CSV)

    assert roster.problems == []
    assert all(column.field for column in roster.columns)
    assert [row.number for row in roster.rows] == [1, 2, 57]
    assert roster.rows[1].passengers == ("Zoe Novak", "Max Novak")


@given(st.text(alphabet=st.one_of(st.sampled_from(',;\t"\n\r1number rider'), st.characters()), max_size=60))
def test_no_text_makes_the_parser_fail(text: str) -> None:
    roster = read_roster(text)

    assert roster.rows or roster.problems
    assert all(describe_problems(roster.problems))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            f"{'x,' * 220_000}{'number,' * 60_000}\n1\n",
            "Row 1: more than 200 columns. Keep only the columns to import.",
        ),
        (
            f"number\n1{',x' * 400_000}\n",
            "Row 2: more than 200 columns. Keep only the columns to import.",
        ),
        (
            f"number,rider\n1,Ann\n2,{'x' * 1_001}\n",
            "Row 3: column 2 is longer than 1000 characters. A quotation mark may be missing.",
        ),
    ],
    ids=["header", "line", "cell"],
)
def test_a_file_far_beyond_the_limits_stops_the_parser(text: str, problem: str) -> None:
    before = time.process_time()

    roster = read_roster(text)

    assert time.process_time() - before < 2
    assert describe_problems(roster.problems) == [problem]
    assert roster.rows == []


def test_empty_columns_are_ignored() -> None:
    (row,) = read_roster(f"number,rider{',' * 16_000}\n57,Ida{',' * 16_000}\n").rows

    assert (row.number, dict(row.cells)) == (57, {"rider": "Ida"})


@pytest.mark.parametrize(("cell", "number"), [("007", 7), ("00000000000000000001999", 1999)])
def test_a_number_can_have_leading_zeros(cell: str, number: int) -> None:
    assert [row.number for row in read_roster(f"number\n{cell}\n").rows] == [number]


@pytest.mark.parametrize("cell", ["000", "100000", "00000000000000000001" + "9" * 900, "0" * 900, "９９", "1" * 900])
def test_a_number_out_of_range_is_reported(cell: str) -> None:
    (problem,) = problems_of(f"number\n{cell}\n")

    assert "the number is not one from 1 to 99999, perhaps with letters, such as 12A" in problem


def test_the_length_of_all_passengers_is_limited_as_in_the_form() -> None:
    problems = problems_of(f"number,passenger,passenger\n1,{'Zoe;' * 60},{'Max;' * 60}\n")

    assert problems == ["Cell B2: Passengers: longer than 400 characters."]

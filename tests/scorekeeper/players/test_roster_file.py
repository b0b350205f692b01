"""Reading a roster as spreadsheets write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.players.roster_file import MOST_ROWS, SAMPLE, Unreadable, decode, read_roster

PLAIN = "number,rider,passengers,make,model,group\n1,Ann,Zoe,Honda,Rebel,One\n2,Ben,,BMW,,Two\n"


def faults_of(text: str) -> list[str]:
    roster = read_roster(text)
    assert roster.faults, "nothing was found wrong"
    return [str(fault) for fault in roster.faults]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_way_of_writing_it_reads_alike(separator: str, line_end: str, mark: str) -> None:
    written = mark + PLAIN.replace(",", separator).replace("\n", line_end)

    roster = read_roster(decode(written.encode()))

    assert roster.faults == []
    assert roster.rows == read_roster(PLAIN).rows
    assert [(row.line, row.number, row.passengers) for row in roster.rows] == [(2, 1, ("Zoe",)), (3, 2, ())]
    assert roster.rows[0].cells == {"rider": "Ann", "make": "Honda", "model": "Rebel", "group": "One"}


@pytest.mark.parametrize(
    "header",
    ["number,rider,passenger", "Bike No.,Name,Pillion", "#,DRIVER, passenger(s) ", "start_number,Rider Name,Co-rider"],
)
def test_columns_go_by_several_names(header: str) -> None:
    (row,) = read_roster(f"{header}\n57,Ida,Zoe\n").rows

    assert (row.number, dict(row.cells), row.passengers) == (57, {"rider": "Ida"}, ("Zoe",))


def test_columns_come_in_any_order_and_unknown_ones_are_named() -> None:
    roster = read_roster("Phone,Rider,Number\n555,Ida,57\n")

    assert roster.ignored == ["Phone"]
    assert (roster.rows[0].number, dict(roster.rows[0].cells)) == (57, {"rider": "Ida"})


def test_a_column_that_is_not_there_says_nothing_and_an_empty_cell_says_nothing_is() -> None:
    (row,) = read_roster("number,make\n57,\n").rows

    assert row.cells == {"make": ""}
    assert row.passengers is None


def test_passengers_stand_in_one_cell_or_in_several() -> None:
    one = read_roster('number,passengers\n57,"Zoe; Max / Kit"\n').rows[0]
    several = read_roster("number,passenger,passenger,passenger\n57,Zoe,Max,Kit\n").rows[0]

    assert one.passengers == several.passengers == ("Zoe", "Max", "Kit")


def test_blank_lines_are_passed_over_but_counted() -> None:
    text = "\n\nnumber,rider\n\n1,Ann\n,,\n\nx,Ben\n"

    assert [row.line for row in read_roster(text).rows] == [5]
    assert faults_of(text) == ["Line 8, Number: “x” is not a whole number from 1 to 99999."]


def test_lines_are_counted_through_cells_of_several_lines() -> None:
    text = 'number,rider\n1,"Ann\nMiller"\nx,Ben\n'

    assert read_roster(text).rows[0].cells["rider"] == "Ann Miller"
    assert faults_of(text) == ["Line 4, Number: “x” is not a whole number from 1 to 99999."]


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "100000", "१", "٣", "1e3", "9" * 5000, "²"])
def test_what_is_no_bike_number_is_named_by_line_and_column(number: str) -> None:
    (fault,) = faults_of(f"number\n{number}\n")

    assert fault.startswith("Line 2, Number: “")
    assert fault.endswith("is not a whole number from 1 to 99999.")
    assert len(fault) < 120


def test_all_faults_are_found_at_once() -> None:
    lines = [
        "number,rider,passengers,make",
        "1,Ann,,",
        "1,Ben,,",
        ",Cleo,,",
        f"4,{'x' * 81},,",
        f"5,,Zoe;{'y' * 81},{'z' * 61}",
        "6,a,b,c,d",
    ]

    assert faults_of("\n".join(lines)) == [
        "Line 3, Number: 1 stands on line 2 already.",
        "Line 4, Number: the bike has no number.",
        "Line 5, Rider: this is longer than 80 letters.",
        "Line 6, Make: this is longer than 60 letters.",
        "Line 6, Passengers: this is longer than 80 letters.",
        "Line 7: there are more cells than column names.",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "There is nothing in it. The first line names the columns, such as number,rider."),
        (" \n\n,,\n", "There is nothing in it. The first line names the columns, such as number,rider."),
        ("number,rider\n", "There are column names but no bikes below them."),
        (
            "1,Ann\n2,Ben\n",
            "Line 1: no column is called “number”. The first line has to name the columns, such as number,rider,group.",
        ),
        ("number,no\n1,2\n", "Line 1, Number: there are two columns for this: “no” is the second."),
        ('number,rider\n1,"Ann\n', "This cannot be read as CSV: unexpected end of data."),
        ("number\n" + "1\n" * (MOST_ROWS + 1), "There are more than 5000 lines."),
    ],
)
def test_a_file_that_is_no_roster_is_explained(text: str, fault: str) -> None:
    assert faults_of(text) == [fault]
    assert read_roster(text).rows == []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("number,rider\n1,Jörg\n".encode("latin-1"), "CSV UTF-8"),
        ("number,rider\n1,Jörg\n".encode("utf-16"), "CSV UTF-8"),
        ("number\n1\n".encode("utf-16-le"), "This is no CSV file"),
        (b"PK\x03\x04\x14\x00\x06\x00", "This is no CSV file"),
    ],
)
def test_another_encoding_is_explained(data: bytes, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        decode(data)


def test_the_sample_is_a_roster() -> None:
    roster = read_roster(SAMPLE)

    assert (roster.faults, roster.ignored) == ([], [])
    assert [row.number for row in roster.rows] == [1, 2, 57]
    assert roster.rows[1].passengers == ("Zoe Novak", "Max Novak")


@given(st.text(alphabet=st.one_of(st.sampled_from(',;\t"\n\r1number rider'), st.characters()), max_size=60))
def test_no_text_whatever_makes_it_stumble(text: str) -> None:
    roster = read_roster(text)

    assert roster.rows or roster.faults
    assert all(str(fault) for fault in roster.faults)

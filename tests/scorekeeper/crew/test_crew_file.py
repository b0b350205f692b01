"""Reading crew lists as clubs write them"""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.common.spreadsheets.files import decode_spreadsheet
from scorekeeper.common.spreadsheets.importer import Reading
from scorekeeper.common.spreadsheets.sheets import MAX_ROWS, describe_problems
from scorekeeper.crew.crew_import import SAMPLE_CREW_CSV, CrewImporter, CrewRow, find_role
from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Event
from tests.scorekeeper.common.test_spreadsheet_files import make_workbook

CAPTAIN, GUNNER, SUPERVISOR = CrewMember.Role


def read_crew(text: str) -> Reading[CrewRow]:
    return CrewImporter(Event()).read_text(text)


def problems_of(text: str) -> list[str]:
    return describe_problems(read_crew(text).problems)


def test_the_sample_is_a_crew_list() -> None:
    crew = read_crew(SAMPLE_CREW_CSV)

    assert crew.problems == []
    assert [(row.group, row.name, row.role) for row in crew.rows] == [
        ("Group one", "Rita Moore", CAPTAIN),
        ("Group one", "Tom Hale", GUNNER),
        ("Group one", "Sue Park", SUPERVISOR),
        ("Group two", "Gus Lind", CAPTAIN),
    ]
    assert crew.rows[2].any_bike_at == ("Finale", ("Finale",))


@pytest.mark.parametrize(
    ("word", "role"),
    [
        ("road captain", CAPTAIN),
        ("Road-Captain", CAPTAIN),
        ("ROAD_CAPTAIN", CAPTAIN),
        ("RC", CAPTAIN),
        ("Lead", CAPTAIN),
        ("tail-gunner", GUNNER),
        ("Tailgunner", GUNNER),
        ("sweep", GUNNER),
        ("T.G.", None),
        ("supervisor", SUPERVISOR),
        ("Third", SUPERVISOR),
        ("Helper", SUPERVISOR),
        ("boss", None),
    ],
)
def test_usual_words_for_a_role_are_understood(word: str, role: CrewMember.Role | None) -> None:
    assert find_role(word) == role


@pytest.mark.parametrize(
    "text",
    [
        "group,name,role\nGroup one,Rita,captain\n",
        "\n\nRole;Crew member;Group name;Phone\ncaptain;Rita;Group one;\n",
        "name\trole\tgroup\nRita\tcaptain\tGroup one\n",
        '"group","name","role"\n"Group  one"," Rita ","Captain"\n',
    ],
    ids=["commas", "semicolons", "tabs", "quotes"],
)
def test_columns_may_have_any_order_and_any_separator(text: str) -> None:
    assert read_crew(text).rows == [CrewRow(read_crew(text).rows[0].row_number, "Group one", "Rita", CAPTAIN)]
    assert problems_of(text) == []


@pytest.mark.parametrize(
    ("encoding", "source"), [("utf-8", ""), ("utf-8-sig", ""), ("cp1252", "windows-1252"), ("utf-16", "utf-16")]
)
def test_every_usual_encoding_is_read(encoding: str, source: str) -> None:
    decoded = decode_spreadsheet("group;name;role\r\nZürich;Jörg;sweep\r\n".encode(encoding))

    assert decoded.source == source
    (row,) = read_crew(decoded.text).rows
    assert (row.group, row.name, row.role) == ("Zürich", "Jörg", GUNNER)


def test_a_workbook_is_read() -> None:
    decoded = decode_spreadsheet(make_workbook([["Group", "Name", "Role"], [1, "Rita", "captain"]]))

    (row,) = read_crew(decoded.text).rows
    assert (row.group, row.name, row.role) == ("1", "Rita", CAPTAIN)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "The file is empty. The first row must have column names, such as group,name,role."),
        ("group,name,role\n", "There are column names but no crew below them. Add a row for each person."),
        ("Rita,x\nTom,y\n", "Choose the columns for: Group, Name, Role. The first row must have column names."),
        ("group,name\nOne,Rita\n", "Choose the columns for: Role. The first row must have column names."),
        (
            'group,name,role\nOne,"Rita,captain\n',
            "Row 2: a quotation mark is opened and never closed. Close it, or delete it.",
        ),
        (
            "group,name,role\n" + "One,Rita,captain\n" * (MAX_ROWS + 1),
            "There are more than 5000 rows. Split them into several files.",
        ),
    ],
)
def test_a_file_that_is_no_crew_list_is_explained(text: str, problem: str) -> None:
    assert problems_of(text) == [problem]


def test_all_problems_are_found_at_once_and_grouped() -> None:
    lines = [
        "group,name,role",
        "One,Rita,captain",
        "ONE,rita,sweep",
        ",Tom,sweep",
        "One,,sweep",
        "One,Sue,",
        "One,Uma,boss",
        "Two,Uma,chef",
        f"One,{'x' * 81},third",
        "One,Viv,third,more",
        "Two,Rita,captain",
    ]

    assert problems_of("\n".join(lines)) == [
        "Rows 2 and 3: rita is listed more than once in ONE.",
        "Cell A4: no group.",
        "Cell B5: no name.",
        "Cell C6: no role.",
        "Cells C7 and C8: the role is not road captain, tail-gunner or supervisor (“boss”, “chef”).",
        "Cell B9: Name: longer than 80 characters.",
        "Row 10: more cells than column names. Name each column, or put a cell with a comma in quotation marks.",
    ]


def test_the_stops_of_any_bike_may_be_listed_in_one_cell_or_in_several_columns() -> None:
    (row,) = read_crew("group,name,role,any bike at,any bike\nOne,Rita,rc,BBQ; Parks,Finale\n").rows

    assert row.any_bike_at is not None
    assert row.any_bike_at[1] == ("BBQ", "Parks", "Finale")
    assert read_crew("group,name,role\nOne,Rita,rc\n").rows[0].any_bike_at is None


def test_ten_thousand_lines_are_refused_at_once() -> None:
    text = "group,name,role\n" + "".join(f"Group {n},Name {n},captain\n" for n in range(10_000))
    before = time.process_time()

    assert problems_of(text) == ["There are more than 5000 rows. Split them into several files."]

    assert time.process_time() - before < 2


def test_a_formula_is_only_text() -> None:
    (row,) = read_crew('group,name,role\n=1+1,"=HYPERLINK(""http://x"")",captain\n').rows

    assert (row.group, row.name) == ("=1+1", '=HYPERLINK("http://x")')


@given(st.text(alphabet=st.one_of(st.sampled_from(',;\t"\n\rgroup name role captain'), st.characters()), max_size=60))
def test_no_text_makes_the_parser_fail(text: str) -> None:
    crew = read_crew(text)

    assert crew.rows or crew.problems
    assert all(describe_problems(crew.problems))

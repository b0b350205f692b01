"""Rosters as clubs have them: title rows, split names, decorated numbers, totals, and what programs made of them."""

from __future__ import annotations

import datetime
import io

import openpyxl
import pytest
import xlsxwriter

from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.common.spreadsheets.files import decode_spreadsheet
from scorekeeper.common.spreadsheets.importer import Choices, ImportPlan, Reading
from scorekeeper.common.spreadsheets.sheets import describe_problems
from scorekeeper.events.models import Event
from scorekeeper.players.roster_import import RosterImporter, RosterLine, RosterRow
from tests.scorekeeper.common.test_spreadsheet_files import make_workbook


def read(text: str, choices: Choices = Choices()) -> Reading[RosterRow]:  # noqa: B008 - it never changes
    return RosterImporter(Event()).read_text(text, choices)


def list_riders(reading: Reading[RosterRow]) -> list[tuple[BikeNumber | None, str]]:
    assert describe_problems(reading.problems) == []
    return [(row.number, row.cells["rider"]) for row in reading.rows]


def list_passengers(text: str) -> list[tuple[str, ...] | None]:
    reading = read(text)
    assert describe_problems(reading.problems) == []
    return [row.passengers for row in reading.rows]


class TestHeadings:
    def test_title_rows_are_skipped(self) -> None:
        reading = read("Prairie Riders MC - Dice Ride 2026,,\n,,\nnumber,rider,group\n1,Ann Example,One\n")

        assert list_riders(reading) == [(1, "Ann Example")]
        assert (reading.heading, reading.titles) == (3, [1])

    def test_headings_that_nobody_knows_are_below_titles_of_one_cell(self) -> None:
        assert read("Our ride\n\nAbc,Def\n1,Ann\n").heading == 3

    def test_the_heading_row_can_be_chosen(self) -> None:
        reading = read("number,rider\nNo,Name\n7,Ann\n", Choices(heading=2))

        assert list_riders(reading) == [(7, "Ann")]

    def test_a_row_that_is_not_there_is_not_used(self) -> None:
        assert read("number,rider\n7,Ann\n", Choices(heading=99)).heading == 1

    @pytest.mark.parametrize(
        "header",
        [
            *("Number,First Name,Last Name,Group", "Startnummer,Vorname,Nachname,Gruppe", "Nr.,Vorname,Name,Gruppe"),
            *("Dossard,Prénom,Nom,Groupe", "Número,Nombre,Apellidos,Grupo", "EntrantID,RiderFirst,RiderLast,Team"),
        ],
    )
    def test_first_and_last_name_make_one_name(self, header: str) -> None:
        reading = read(f"{header}\n1,Ann,Example,One\n")

        assert list_riders(reading) == [(1, "Ann Example")]
        assert reading.rows[0].cells["group"] == "One"

    @pytest.mark.parametrize("name", ["Name", "Your full name", "Nom", "Nom complet", "Nombre", "Vollständiger Name"])
    def test_a_whole_name_is_one(self, name: str) -> None:
        assert list_riders(read(f"Nr,{name}\n1,Ann Example\n")) == [(1, "Ann Example")]

    def test_a_rally_registration_with_pillions_contacts_and_plates(self) -> None:
        reading = read(
            "EntrantID,RiderFirst,RiderLast,PillionFirst,PillionLast,Bike,BikeMake,BikeModel,BikeReg,Phone,E-Mail\n"
            "1,Ann,Example,Zoe,Example,Honda Rebel 500,Honda,Rebel 500,AB12CDE,00000,a@example.org\n"
            "2,Ben,Sample,,,BMW R1250RT,BMW,R1250RT,XY34ZZZ,00000,b@example.org\n"
        )

        assert list_riders(reading) == [(1, "Ann Example"), (2, "Ben Sample")]
        assert [row.passengers for row in reading.rows] == [("Zoe Example",), ()]
        assert [(row.cells["make"], row.cells["model"]) for row in reading.rows] == [
            ("Honda", "Rebel 500"),
            ("BMW", "R1250RT"),
        ]
        unused = [column.name for column in reading.columns if not column.field]
        assert unused == ["Bike", "BikeReg", "Phone", "E-Mail"]

    def test_registration_plates_are_no_numbers(self) -> None:
        assert list_riders(read("Plate,Number,Rider\nAB12CDE,7,Ann\n")) == [(7, "Ann")]


class TestNumbers:
    @pytest.mark.parametrize(
        ("cell", "number"),
        [
            *(("1.0", 1), ("#12", 12), ('"1,204"', 1204), ("1.204", 1204), ("1 204", 1204), ("12\u200b", 12)),
            *(("No. 12", 12), ("Nr. 12", 12), ("N° 12", 12), ("1.000", 1000), ("12.00", 12)),
        ],
    )
    def test_a_number_is_understood_and_shown_as_read(self, cell: str, number: int) -> None:
        reading = read(f"number,rider\n{cell},Ann Example\n1300,Ben Example\n")

        assert list_riders(reading) == [(number, "Ann Example"), (1300, "Ben Example")]
        shown = cell.strip('"').replace("\u200b", "")
        notes = describe_problems(reading.notes)
        assert notes == ([] if shown == str(number) else [f"Cell A2: read as a number (“{shown} → {number}”)."])

    def test_leading_zeros_are_nothing_to_show(self) -> None:
        assert (read("number\n007\n").rows[0].number, read("number\n007\n").notes) == (7, [])

    def test_without_a_column_numbers_can_be_given(self) -> None:
        text = "Rider,Group\nAnn,One\nBen,One\n"

        assert describe_problems(read(text).problems) == [
            "No column has the bikes’ numbers. Choose it, or let numbers be given."
        ]
        assert list_riders(read(text, Choices(gives_numbers=True))) == [(None, "Ann"), (None, "Ben")]

    def test_a_total_is_left_out_and_named(self) -> None:
        reading = read("number,rider\n1,Ann Example\n2,Ben Example\nTotal: 2,\n")

        assert list_riders(reading) == [(1, "Ann Example"), (2, "Ben Example")]
        assert describe_problems(reading.notes) == ["Row 4: left out, because it reads like a total (“Total: 2”)."]

    def test_a_rider_may_be_called_total(self) -> None:
        assert list_riders(read("rider,number\nTotal Recall,1\n")) == [(1, "Total Recall")]


class TestPeople:
    @pytest.mark.parametrize("nobody", ["none", "n/a", "-", "TBC", "No", "keine", "aucun", "ninguno", "—"])
    def test_nobody_is_nobody(self, nobody: str) -> None:
        assert list_passengers(f"number,rider,passenger\n1,Ann Example,{nobody}\n") == [()]

    @pytest.mark.parametrize(
        ("cell", "people"),
        [
            ("Ben Example, Jr.", ("Ben Example, Jr.",)),
            ("Example, Dora", ("Dora Example",)),
            ("Zoe Novak, Max Novak", ("Zoe Novak", "Max Novak")),
            ("Zoe & Max", ("Zoe", "Max")),
            ("Zoe und Max", ("Zoe", "Max")),
            ("Zoe; Example, Dora", ("Zoe", "Dora Example")),
        ],
    )
    def test_people_are_told_apart(self, cell: str, people: tuple[str, ...]) -> None:
        assert list_passengers(f'number,rider,passenger(s)\n2,Cid Example,"{cell}"\n') == [people]

    def test_two_single_names_are_two_people_if_the_rider_has_one_too(self) -> None:
        assert list_passengers('number,rider,passengers\n2,Cid,"Zoe, Max"\n') == [("Zoe", "Max")]

    def test_a_rider_written_last_name_first_is_turned(self) -> None:
        assert list_riders(read('number,rider\n1,"Example, Ann"\n2,"Ben Sample, Jr."\n')) == [
            (1, "Ann Example"),
            (2, "Ben Sample, Jr."),
        ]

    def test_signs_that_turn_the_text_around_are_dropped(self) -> None:
        assert list_riders(read("number,rider\n12,\u202eevil Example\n")) == [(12, "evil Example")]

    def test_letters_read_in_a_wrong_encoding_are_repaired_and_shown(self) -> None:
        reading = read("number,rider\n1,RenÃ© GrÃ¶ÃŸe\n")

        assert list_riders(reading) == [(1, "René Größe")]
        assert describe_problems(reading.notes) == [
            "Cell B2: read with the letters repaired (“RenÃ© GrÃ¶ÃŸe → René Größe”)."
        ]

    @pytest.mark.parametrize("name", ["Ã", "Zoë Åkesson", "Añã Núñez", "Â", "naïve"])
    def test_real_accents_stay(self, name: str) -> None:
        assert list_riders(read(f"number,rider\n1,{name}\n")) == [(1, name)]


class TestDates:
    @pytest.mark.parametrize("date", ["2026-03-09", "2026-03-09 00:00:00", "9-Mar", "09. Mär", "Sep-03"])
    def test_a_date_made_of_a_model_is_named(self, date: str) -> None:
        assert describe_problems(read(f"number,rider,model\n1,Ann,{date}\n2,Ben,9/3\n").problems) == [
            f"Cell C2: this is a date, which a spreadsheet makes of text such as 9/3. Type what it was (“{date}”)."
        ]

    def test_in_a_workbook(self) -> None:
        file = io.BytesIO()
        with xlsxwriter.Workbook(file, {"default_date_format": "d-mmm"}) as book:
            sheet = book.add_worksheet()
            sheet.write_row(0, 0, ["number", "rider", "model"])
            sheet.write_row(1, 0, [1, "Ann Example"])
            sheet.write_datetime("C2", datetime.date(2026, 3, 9))

        (problem,) = describe_problems(read(decode_spreadsheet(file.getvalue()).text).problems)

        assert problem.startswith("Cell C2: this is a date")

    def test_a_formula_without_a_stored_value_is_named(self) -> None:
        """Programs that only write workbooks, such as openpyxl, leave the values to the spreadsheet that opens them."""
        book = openpyxl.Workbook()
        list_ = book.active
        list_.title = "Riders & bikes"
        list_.append(["number", "rider"])
        list_.append([1, '="Ann"&" Example"'])
        list_.append([2, "Ben Example"])
        list_.append(["=A3+1"])
        book.create_sheet("Notes").append(["=1+1"])
        file = io.BytesIO()
        book.save(file)

        problems = describe_problems(read(decode_spreadsheet(file.getvalue()).text).problems)

        assert problems[0] == (
            "Cells B2 and A4: this is a formula without a stored value. Open the workbook in a spreadsheet program and "
            'save it, or type the value (“="Ann"&" Example"”, “=A3+1”).'
        )

    def test_a_formula_with_its_value_is_read_as_the_value(self) -> None:
        file = io.BytesIO()
        with xlsxwriter.Workbook(file) as book:
            sheet = book.add_worksheet()
            sheet.write_row(0, 0, ["number", "rider", "model"])
            sheet.write_row(1, 0, [1])
            sheet.write_formula(1, 1, '="Ann"&" Example"', None, "Ann Example")

        assert decode_spreadsheet(file.getvalue()).text == "number,rider,model\n1,Ann Example\n"

    def test_a_workbook_with_instructions_is_read_from_the_sheet_with_the_list(self) -> None:
        instructions = [["How to use this workbook"], ["Fill in the second sheet"]]
        entries: list[list[object]] = [["number", "rider"], [1, "Ann Example"], [2, "Ben Example"]]

        text = decode_spreadsheet(make_workbook(instructions, entries)).text

        assert list_riders(read(text)) == [(1, "Ann Example"), (2, "Ben Example")]


@pytest.mark.database
class TestPlans:
    """What is asked and said before a list is imported."""

    def plan(self, event: Event, text: str, choices: Choices = Choices()) -> ImportPlan[RosterLine]:  # noqa: B008
        plan = RosterImporter(event).make_plan(text, choices)
        assert describe_problems(plan.problems) == []
        return plan

    def test_one_rider_under_two_numbers_is_worth_a_look(self, event: Event) -> None:
        plan = self.plan(event, "number,rider\n1,Ann Example\n41,ann  example\n")

        assert plan.doubts == ("Ann Example rides several bikes: 1 and 41. Is it one person entered twice?",)

    def test_groups_that_look_alike_are_worth_a_look(self, event: Event) -> None:
        plan = self.plan(event, "number,rider,group\n1,Ann,Zürich\n2,Ben,Zurich\n3,Cid,Zu\u0308rich\n")

        assert plan.new_groups == ("Zürich", "Zurich")
        assert plan.doubts == ("The names of the groups “Zurich” and “Zürich” look alike. Are they one group?",)

    def test_bikes_without_rider_or_group_are_asked_about(self, event: Event) -> None:
        plan = self.plan(event, "number,rider,group\n61,Ann,One\n62,,One\n63,Cid,\n")

        assert plan.questions == ("1 bike would have no rider: 62.", "1 bike would have no group: 63.")

    def test_numbers_that_are_given_are_free_and_stay_when_imported_again(self, event: Event) -> None:
        text, choices = "number,rider\n,Ann Example\n2,Ben Example\n,Cid Example\n", Choices(gives_numbers=True)
        taken = set(event.bikes.values_list("number", flat=True))

        first = self.plan(event, text, choices)
        RosterImporter(event).execute_plan(text, first.digest, choices)

        numbers = [line.number for line in first.lines]
        assert numbers[1] == 2
        assert len({*numbers}) == 3
        assert not {numbers[0], numbers[2]} & taken
        assert {line.status for line in self.plan(event, text, choices).lines} == {"unchanged"}

    def test_numbers_with_letters_are_numbers_too(self, event: Event) -> None:
        text = "number,rider,group\n41,Ann Example,One\n41a,Ben Example,One\n41A,Cid Example,One\n"
        repeated = RosterImporter(event).make_plan(text)
        assert describe_problems(repeated.problems) == ["Rows 3 and 4: number 41A is used more than once."]

        plan = self.plan(event, text.replace("41A,Cid", "41B,Cid"))
        RosterImporter(event).execute_plan(text.replace("41A,Cid", "41B,Cid"), plan.digest)

        numbers = [bike.label for bike in list_bikes(event) if bike.label.startswith("41")]
        assert numbers == ["41", "41A", "41B"]

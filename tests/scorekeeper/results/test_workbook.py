"""The workbook of a contest: sheets that people sort, filter, print and read on."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from statistics import mean
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from scorekeeper.audience.services import freeze_standings, reveal_to_step, start_reveal
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.results.exports.export_sheets import ExportSheet
from scorekeeper.results.exports.workbook import write_workbook
from scorekeeper.results.place_chart import get_place_chart
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.results.test_exports import get, read_csv
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.django_db

ROLLED = {1: {1: 10, 2: 25}, 2: {1: 20, 2: 5}, 3: {2: 5}}  # points by slot, for each bike
SHEETS = ["Standings", "Scorecards", "Stops", "Places"]


@pytest.fixture
def rolled(ride: Ride, add_turn, update_standings) -> Ride:
    """Bike 2 leads after the first turn, bike 1 after the second; bike 3 has only the second."""
    for number, turns in ROLLED.items():
        for slot, points in turns.items():
            add_turn(number, slot, make_paper_turn("chance" if slot == 1 else "fives", points))
    update_standings()
    return ride


def read_book(client: Client, ride: Ride, page: str = "export") -> Workbook:
    return load_workbook(io.BytesIO(get(client, page, ride, "export.xlsx")))


def read_rows(sheet: Worksheet) -> list[dict[str, Any]]:
    headings, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(headings, row, strict=True)) for row in rows]


def list_sheets(book: Workbook) -> Iterator[Worksheet]:
    yield from book.worksheets


def test_the_stops_say_what_was_rolled_at_each(rolled: Ride, client: Client) -> None:
    first, second, *later = read_rows(read_book(client, rolled)["Stops"])

    assert (first["Turn"], first["Stop"], first["Played"], first["Best"]) == (1, "Ozweld's", 2, 20)
    assert first["Average"] == pytest.approx(mean([10, 20]))
    assert first["Best turn by"] == "2"
    assert (second["Played"], second["Best"], second["Best turn by"]) == (3, 25, "1")
    assert second["Average"] == pytest.approx(11.67)
    assert [(row["Played"], row["Average"], row["Best"]) for row in later] == [(0, None, None)] * len(later)
    assert len(later) == 3


def test_the_stops_are_the_same_in_every_file(rolled: Ride, client: Client) -> None:
    sheet = read_rows(read_book(client, rolled)["Stops"])
    lines = read_csv(get(client, "export", rolled, "stops.csv"))
    data = json.loads(get(client, "export", rolled, "export.json"))["stops"]

    texts = [{key: "" if value is None else value for key, value in row.items()} for row in sheet]
    assert [[str(value) for value in row.values()] for row in texts] == [
        [text.removesuffix(".0") for text in line.values()] for line in lines
    ]
    named = [{**row, "best_bikes": ", ".join(row["best_bikes"]) or None} for row in data]
    assert [list(row.values()) for row in named] == [list(row.values())[:-1] for row in sheet]


def test_the_places_are_those_of_the_published_chart(rolled: Ride, client: Client, desk: Actor, close) -> None:
    close()
    publish_contest(desk, uuid4(), rolled.contest.pk, "some turns were missed")
    rolled.contest.refresh_from_db()
    chart = get_place_chart(rolled.contest, {})
    assert chart is not None

    rows = [list(row) for row in read_book(client, rolled)["Places"].iter_rows(min_row=2, values_only=True)]

    shown = [[None if text == "–" else int(text.rstrip("=")) for text in places] for _label, places in chart.rows]
    assert [row[2:-1] for row in rows] == shown
    assert [row[0] for row in rows] == [1, 2, 3]


def test_every_sheet_keeps_its_headings_in_view_and_can_be_filtered(rolled: Ride, alice: User, sign_in) -> None:
    book = read_book(sign_in(alice), rolled, "desk_export")

    assert book.sheetnames == [*SHEETS, "Log"]
    for sheet in list_sheets(book):
        assert sheet.auto_filter.ref == sheet.dimensions, sheet.title
        assert str(sheet.freeze_panes).endswith("2"), sheet.title
        assert (sheet.print_title_rows, sheet.page_setup.orientation) == ("$1:$1", "landscape"), sheet.title
        assert sheet.oddHeader.left.text == book.properties.title, sheet.title
    assert book["Standings"].freeze_panes == "D2", "place, bike and riders stay in view"


def test_columns_are_as_wide_as_their_text_within_limits(rolled: Ride, client: Client) -> None:
    Player.objects.filter(name="Ann").update(name="A" * 60)
    widths = read_book(client, rolled)["Standings"].column_dimensions

    assert widths["C"].width == pytest.approx(42, abs=1)
    assert 5 < widths["A"].width < 15


def test_numbers_have_formats(rolled: Ride, client: Client) -> None:
    book = read_book(client, rolled)
    average, best = book["Stops"]["E2"], book["Stops"]["F2"]

    assert (average.number_format, best.number_format) == ("0.00", "0")
    assert {cell.number_format for cell in book["Standings"]["D"][1:]} == {"0"}


def test_places_are_numbers_that_show_ties(rolled: Ride, client: Client, add_turn: Any, update_standings: Any) -> None:
    add_turn(3, 1, make_paper_turn("chance", 20))
    update_standings()

    cells = read_book(client, rolled)["Standings"]["A"][1:]

    assert [(cell.value, cell.number_format) for cell in cells[:3]] == [(1, "0"), (2, '0"="'), (2, '0"="')]
    assert {cell.value for cell in cells[3:]} == {"–"}, "those who have not rolled"
    lines = read_csv(get(client, "export", rolled, "export.csv"))
    assert [line["Place"] for line in lines[:3]] == ["1", "2=", "2="]


def test_the_organisers_workbook_has_groups_and_machines(rolled: Ride, client: Client, alice: User, sign_in) -> None:
    rolled.bikes[1].make, rolled.bikes[1].model = "BMW", "R 18"
    rolled.bikes[1].save()

    own = read_book(sign_in(alice), rolled, "desk_export")["Standings"]

    first, second, *_others = read_rows(own)
    assert list(first)[:6] == ["Place", "Bike", "Riders", "Group", "Machine", "Total"]
    assert (first["Bike"], first["Group"], first["Machine"]) == (1, rolled.group_one.name, "BMW R 18")
    assert second["Group"] == rolled.group_one.name
    assert own.freeze_panes == "D2"
    public = list(read_rows(read_book(client, rolled)["Standings"])[0])
    assert not {"Group", "Machine"} & set(public), "as in public bundles, which do not have them either"


def test_the_places_have_a_chart_with_the_first_place_on_top(rolled: Ride, client: Client) -> None:
    (chart,) = read_book(client, rolled)["Places"]._charts

    assert chart.y_axis.scaling.orientation == "maxMin"
    assert [series.val.numRef.f for series in chart.series] == [f"Places!$C${row}:$E${row}" for row in (2, 3, 4)]


def test_an_empty_contest_has_empty_sheets(ride: Ride, client: Client) -> None:
    book = read_book(client, ride)

    assert book.sheetnames == ["Standings", "Scorecards", "Stops"], "without a ranking there are no places"
    assert [row["Played"] for row in read_rows(book["Stops"])] == [0] * 5


def test_a_contest_at_tables_has_no_stops(client: Client, pig_contest: Contest) -> None:
    slugs = [pig_contest.event.slug, pig_contest.slug]
    assert client.get(reverse("results:export", args=[*slugs, "stops.csv"])).status_code == 404

    book = load_workbook(io.BytesIO(client.get(reverse("results:export", args=[*slugs, "export.xlsx"])).getvalue()))
    data = json.loads(client.get(reverse("results:export", args=[*slugs, "export.json"])).getvalue())

    assert not {"Stops", "Places"} & set(book.sheetnames)
    assert "stops" not in data


def test_a_reveal_has_no_places_and_no_newer_rolls(rolled: Ride, client: Client, add_turn, update_standings) -> None:
    freeze_standings(rolled.event)
    add_turn(3, 3, make_paper_turn("sixes", 30))
    update_standings()
    third = read_rows(read_book(client, rolled)["Stops"])[2]
    assert (third["Played"], third["Best"]) == (0, None)

    start_reveal(rolled.event, [rolled.contest])
    reveal_to_step(rolled.event, 1)
    book = read_book(client, rolled)
    assert "Places" not in book.sheetnames


def test_a_practice_says_so_in_every_row(rolled: Ride, client: Client, alice: User, sign_in) -> None:
    Event.objects.update(is_practice=True)
    book = read_book(sign_in(alice), rolled, "desk_export")

    for sheet in list_sheets(book):
        assert {row["Practice"] for row in read_rows(sheet)} == {"Practice"}, sheet.title
    (chart,) = book["Places"]._charts
    assert chart.series[0].val.numRef.f == "Places!$D$2:$F$2"


def test_an_ampersand_in_the_title_is_printed_as_one() -> None:
    table = ExportSheet("Standings", {"a": "A"}, [["x"]])
    book = load_workbook(io.BytesIO(b"".join(write_workbook([table], "Cut & shuffle"))))

    assert book["Standings"].oddHeader.left.text == "Cut && shuffle"

"""The exports: CSV, XLSX and JSON, public and for organisers."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.db import connection
from django.http import StreamingHttpResponse
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.players.models import Player
from scorekeeper.results.exports.writers import ORGANISER_FILES, SEMICOLONS, split_semicolons
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.services.publication import publish_contest
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_final_turn, make_paper_turn

FILES = ("export.csv", "cards.csv", "stops.csv", "export.xlsx", "export.json")
HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]
FIRST = ("=", "+", "-", "@", "\t=", "\r=", "\n=", " =", "\uff1d", "'=")
FORMULAS = [
    f"{first}{rest}"
    for rest in ("1+1", "SUM(A1:A9)", "cmd|' /C calc'!A0", 'HYPERLINK("http://a.example","Ann")', "A1,=2+2;=3")
    for first in FIRST
]


def get(client: Client, page: str, ride: Ride, file: str) -> bytes:
    response = client.get(reverse(f"results:{page}", args=[ride.event.slug, ride.contest.slug, file]))
    assert response.status_code == 200
    return response.getvalue()


def read_csv(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def read_sheets(content: bytes) -> dict[str, list[tuple[Any, ...]]]:
    book = load_workbook(io.BytesIO(content))
    return {sheet.title: list(sheet.iter_rows(values_only=True)) for sheet in book}


@pytest.mark.usefixtures("tied_bikes")
@pytest.mark.parametrize("is_official", [False, True])
def test_page_revision_and_every_file_show_the_same_figures(
    ride: Ride, client: Client, desk, add_turn, close, cut, update_standings, is_official: bool
) -> None:
    add_turn(4, 2, make_final_turn([1, 2, 3, 4, 6], "small_straight"))
    if is_official:
        close()
        cut({1: "QS", 2: "KH", 3: "AD"})
        publish_contest(desk, uuid4(), ride.contest.pk)
    update_standings()
    ride.contest.refresh_from_db()

    board = get_leaderboard(ride.contest)
    shown = [(row.rank_label, row.number, row.total) for row in board.rows]
    assert len(shown) == len(ride.bikes)
    page = client.get(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])).context["rows"]
    lines = read_csv(get(client, "export", ride, "export.csv"))
    sheets = read_sheets(get(client, "export", ride, "export.xlsx"))
    data = json.loads(get(client, "export", ride, "export.json"))

    assert [(row.row.rank_label, row.row.number, row.row.total) for row in page] == shown
    assert [(line["Place"], line["Bike"], int(line["Total"])) for line in lines] == shown
    places = [int(rank.rstrip("=")) for rank, _number, _total in shown if rank != "–"]
    places_and_dashes = [*places, *["–"] * (len(shown) - len(places))]
    assert [(row[0], str(row[1]), row[3]) for row in sheets["Standings"][1:]] == [
        (place, *row[1:]) for place, row in zip(places_and_dashes, shown, strict=True)
    ]
    assert [(row["place"], row["number"], row["total"]) for row in data["standings"]] == shown
    if is_official:
        stored = Revision.objects.get().standings
        assert [card["lines"] for card in data["cards"]] == [card["lines"] for card in stored["cards"]]
        assert [(row["number"], row["total"]) for row in stored["rows"] + stored["absent"]] == [
            row[1:] for row in shown
        ]


@pytest.mark.usefixtures("tied_bikes")
def test_the_cards_have_every_box_and_where_each_turn_was_rolled(ride: Ride, client: Client, add_turn) -> None:
    add_turn(4, 2, make_final_turn([1, 2, 3, 4, 6], "small_straight"))

    card = next(line for line in read_csv(get(client, "export", ride, "cards.csv")) if line["Bike"] == "4")
    sheet = read_sheets(get(client, "export", ride, "export.xlsx"))["Scorecards"]
    data = json.loads(get(client, "export", ride, "export.json"))["cards"]

    assert (card["Small straight"], card["Chance"], card["Aces"], card["Grand total"]) == ("30", "20", "", "50")
    assert card["Turn 2, Parks"] == "Small straight: 30"
    row = dict(zip(sheet[0], next(row for row in sheet if row[0] == 4), strict=True))
    assert (row["Small straight"], row["Aces"], row["Grand total"]) == (30, None, 50)
    assert {line["key"]: line["points"] for line in data[0]["lines"]}["small_straight"] == 30


@pytest.mark.usefixtures("tied_bikes")
@pytest.mark.parametrize("file", FILES)
def test_every_file_has_its_official_status(
    ride: Ride, client: Client, desk, close, cut, update_standings, file: str
) -> None:
    def read_text() -> str:
        content = get(client, "export", ride, file)
        return str(read_sheets(content)) if file.endswith("xlsx") else content.decode()

    update_standings()
    assert "Unofficial, " in read_text() or '"official": false' in read_text()
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish_contest(desk, uuid4(), ride.contest.pk)
    assert "Official, revision 1, " in read_text() or '"revision": 1' in read_text()


@pytest.mark.usefixtures("tied_bikes")
@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_becomes_a_formula_and_numbers_stay_numbers(ride: Ride, client: Client, name: str) -> None:
    Player.objects.filter(name="Ann").update(name=name)

    line = next(line for line in read_csv(get(client, "export", ride, "export.csv")) if line["Bike"] == "1")
    book = load_workbook(io.BytesIO(get(client, "export", ride, "export.xlsx")))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row]

    assert line["Riders"].startswith("'")
    assert line["Riders"].replace("'", "") == name
    assert line["Total"] == "24"
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert any(str(cell.value).endswith(name.strip()) for cell in cells if cell.data_type == "s")


@pytest.mark.usefixtures("tied_bikes")
def test_fifty_formulas_as_names_stay_text_in_every_file(ride: Ride, client: Client, figures: Figures) -> None:
    names = FORMULAS[:: scaled(1, 7)]
    cells: list[object] = []
    for name in names:
        Player.objects.filter(bike=ride.bikes[1]).update(name=name)
        for file in ("export.csv", "cards.csv"):
            rows = list(csv.reader(io.StringIO(get(client, "export", ride, file).decode("utf-8-sig"), newline="")))
            # A program that takes another separator splits the cells once more, and may ignore quotes and spaces.
            parts = [part for row in rows for cell in row for part in re.split("[;|\t\r\n]", cell)]
            cells += parts
            assert [part for part in parts if part.lstrip('" ').startswith(("=", "+", "-", "@", "\uff1d"))] == [], name
        book = load_workbook(io.BytesIO(get(client, "export", ride, "export.xlsx")))
        found = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
        cells += found
        assert {cell.data_type for cell in found} <= {"s", "n"}, name

    figures.add(
        "28 · formulas as names, in CSV and XLSX",
        f"{len(names)} strings, {len(cells):,} cells: 0 of them formulas, and totals stayed numbers",
    )


@pytest.mark.usefixtures("tied_bikes")
@pytest.mark.parametrize("file", [file for file in FILES if file != "stops.csv"])  # it has bikes' numbers only
def test_public_files_follow_the_events_name_settings_and_organisers_get_full_names(
    ride: Ride, client: Client, alice: User, sign_in, file: str
) -> None:
    Event.objects.update(people_shown="numbers")

    def read_text(content: bytes) -> str:
        return str(read_sheets(content)) if file.endswith("xlsx") else content.decode()

    assert "Zoe" not in read_text(get(client, "export", ride, file))
    assert "Zoe" in read_text(get(sign_in(alice), "desk_export", ride, file))


@pytest.mark.usefixtures("tied_bikes")
def test_the_log_is_for_organisers(ride: Ride, client: Client, alice: User, sign_in, close) -> None:
    close()
    public = reverse("results:export", args=[ride.event.slug, ride.contest.slug, "log.csv"])
    assert client.get(public).status_code == 404

    lines = read_csv(get(sign_in(alice), "desk_export", ride, "log.csv"))

    assert len(lines) == Entry.objects.count()
    assert lines[0]["By"] == "Rita"
    assert (lines[0]["Chain"], lines[0]["Stop"], lines[0]["Kind"]) == ("Bike 1", "Ozweld's", "record")
    assert {line["Reason"] for line in lines if line["Kind"] == "close"} == {"the ride is over"}
    assert {line["Hash"] for line in lines} >= set(Chain.objects.values_list("head", flat=True))
    assert "Log" in read_sheets(get(sign_in(alice), "desk_export", ride, "export.xlsx"))
    assert "Log" not in read_sheets(get(client, "export", ride, "export.xlsx"))


@pytest.mark.parametrize("file", [*FILES, "log.csv"])
def test_an_organisers_file_is_not_found_by_others(
    ride: Ride, client: Client, charlie: User, sign_in, crew_client, file: str
) -> None:
    url = reverse("results:desk_export", args=[ride.event.slug, ride.contest.slug, file])
    assert sign_in(charlie).get(url).status_code == 404
    for stranger in (client, crew_client(ride.rita)):
        assert stranger.get(url).headers["Location"].startswith("/sign-in/")


@pytest.mark.parametrize("file", FILES)
def test_a_contest_without_entries_has_empty_files(ride: Ride, client: Client, file: str) -> None:
    assert get(client, "export", ride, file)


@pytest.mark.parametrize("file", FILES)
def test_the_files_of_a_draft_are_not_found(ride: Ride, client: Client, file: str) -> None:
    Event.objects.update(state="draft")
    url = reverse("results:export", args=[ride.event.slug, ride.contest.slug, file])
    assert client.get(url).status_code == 404


@pytest.mark.usefixtures("tied_bikes")
@pytest.mark.parametrize("file", [*FILES, "log.csv"])
def test_the_number_of_queries_does_not_depend_on_the_number_of_cards(
    ride: Ride, alice: User, sign_in, add_turn, update_standings, file: str
) -> None:
    organiser = sign_in(alice)

    def statements() -> int:
        update_standings()
        with CaptureQueriesContext(connection) as queries:
            get(organiser, "desk_export", ride, file)
        return len(queries)

    few = statements()
    made = Bike.objects.bulk_create([Bike(event=ride.event, number=100 + n, group=ride.group_one) for n in range(6)])
    Player.objects.bulk_create([Player(event=ride.event, name="Rider", bike=bike) for bike in made])
    for bike in made:
        ride.bikes[bike.number] = bike  # type: ignore[index]
        add_turn(bike.number, 1, make_paper_turn("chance", 20))

    assert statements() == few


@pytest.mark.usefixtures("tied_bikes")
def test_an_asynchronous_server_streams_those_of_organisers_too(ride: Ride, alice: User) -> None:
    url = reverse("results:desk_export", args=[ride.event.slug, ride.contest.slug, "export.csv"])

    async def fetch() -> bytes:
        client = AsyncClient()
        await client.aforce_login(alice)
        response = await client.get(url, headers={"Accept-Encoding": "gzip"})
        assert isinstance(response, StreamingHttpResponse)
        assert "Content-Encoding" not in response.headers, "browsers would read only the first compressed chunk"
        return b"".join([piece async for piece in response.streaming_content])

    assert [line["Bike"] for line in read_csv(async_to_sync(fetch)())] == [str(number) for number in ride.bikes]


def test_csv_for_decimal_commas_has_the_same_rows_with_semicolons(ride: Ride, client: Client, add_turn: Any) -> None:
    add_turn(1, 1, make_paper_turn("chance", 10))
    add_turn(2, 1, make_paper_turn("chance", 15))
    Player.objects.filter(name="Ann").update(name="Ann; =1+1")

    plain = get(client, "export", ride, "stops.csv").decode("utf-8-sig")
    german = get(client, "export", ride, "stops-semicolons.csv").decode("utf-8-sig")
    riders = get(client, "export", ride, "export-semicolons.csv").decode("utf-8-sig")

    rows = list(csv.reader(io.StringIO(plain, newline="")))
    others = list(csv.reader(io.StringIO(german, newline=""), delimiter=";"))
    assert (rows[1][4], others[1][4]) == ("12.5", "12,5"), "and not the 12th of May"
    assert [[cell.replace(".", ",") for cell in row] for row in rows] == [
        [cell.replace(".", ",") for cell in row] for row in others
    ]
    assert len({len(row) for row in csv.reader(io.StringIO(riders, newline=""), delimiter=";")}) == 1
    assert "; '=1+1" in riders or ";' =1+1" in riders


@pytest.mark.django_db
def test_no_file_of_a_poker_run_has_points_or_dice(ride: Ride, client: Client, add_turn: Any) -> None:
    ride.contest.game_key, ride.contest.options = "poker-run", {"extra": 1}
    ride.contest.save()
    add_turn(1, 1, [{"type": "draw", "cards": ["KS"]}])
    add_turn(1, 2, [{"type": "forfeit"}])

    texts = [get(client, "export", ride, file).decode("utf-8-sig") for file in ("export.csv", "cards.csv", "stops.csv")]
    texts.append(str(read_sheets(get(client, "export", ride, "export.xlsx"))))
    for text in texts:
        assert not re.search(r"\b(points?|dice|die|average|best)\b", text, re.IGNORECASE), text
    (row,) = read_csv(get(client, "export", ride, "cards.csv"))
    assert [row[name] for name in row if name.startswith("Turn ")] == ["K♠", "Missed", "", "", ""]


def test_every_csv_file_has_a_twin_with_semicolons() -> None:
    plain = [file for file in ORGANISER_FILES if file.endswith(".csv") and SEMICOLONS not in file]

    assert {file.replace(".csv", f"{SEMICOLONS}.csv") for file in plain} < set(ORGANISER_FILES)
    assert all(split_semicolons(file.replace(".csv", f"{SEMICOLONS}.csv")) == (file, True) for file in plain)

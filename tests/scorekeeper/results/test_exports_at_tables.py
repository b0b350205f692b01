"""The exports of a contest that is played at tables."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.standings.models import Revision
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.tables.services import create_tables, withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.results.test_exports import FILES as ALL_FILES
from tests.scorekeeper.results.test_exports import read_csv, read_sheets
from tests.scorekeeper.results.test_leaderboard_at_tables import rows_of
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, make_throw

FILES = [file for file in ALL_FILES if file != "stops.csv"]  # tables have no stops


def get(client: Client, contest: Contest, file: str, page: str = "export") -> bytes:
    response = client.get(reverse(f"results:{page}", args=[contest.event.slug, contest.slug, file]))
    assert response.status_code == 200
    return response.getvalue()


def publish(desk: Actor, contest: Contest) -> None:
    close_contest(desk, uuid4(), contest.pk, "bedtime")
    publish_contest(desk, uuid4(), contest.pk, "they fell asleep")
    refresh_standings(contest.pk)
    contest.refresh_from_db()


@pytest.mark.usefixtures("rogue_tables", "pig_tables", "drag_tables")
@pytest.mark.parametrize("name", ["rogue_contest", "pig_contest", "drag_contest"])
@pytest.mark.parametrize("is_official", [False, True])
def test_page_revision_and_every_file_show_the_same_figures(
    request: pytest.FixtureRequest, client: Client, desk: Actor, name: str, is_official: bool
) -> None:
    contest: Contest = request.getfixturevalue(name)
    if is_official:
        publish(desk, contest)
    total = {"rogue_contest": "Points", "pig_contest": "Total", "drag_contest": "Races won"}[name]

    shown = [(rank, name, int(total)) for rank, name, _note, _far, total in rows_of(client, contest) if rank != "–"]
    lines = read_csv(get(client, contest, "export.csv"))
    headings, *rows = read_sheets(get(client, contest, "export.xlsx"))["Standings"]
    sheet: list[dict[str, Any]] = [dict(zip(headings, row, strict=True)) for row in rows]
    data = json.loads(get(client, contest, "export.json"))

    assert len(shown) >= 3
    assert [(line["Place"], line["Name"], int(line[total])) for line in lines] == shown
    assert [(row["Place"], row["Name"], row[total]) for row in sheet] == [
        (int(rank.rstrip("=")), name, points) for rank, name, points in shown
    ]
    assert [(row["place"], row["name"], row["total"]) for row in data["standings"]] == shown
    if is_official:
        stored = Revision.objects.get(contest=contest).standings
        assert [card["lines"] for card in data["cards"]] == [card["lines"] for card in stored["cards"]]
        assert [row["total"] for row in stored["rows"]] == [total for _rank, _name, total in shown]


@pytest.mark.usefixtures("pig_tables", "drag_tables")
def test_the_standings_have_the_columns_of_the_contest(
    client: Client, pig_contest: Contest, drag_contest: Contest
) -> None:
    dan = read_csv(get(client, pig_contest, "export.csv"))[3]
    assert list(dan) == ["Place", "Name", "Total", "Status", "Last change", "Decided by", "Result"]
    assert (dan["Name"], dan["Status"]) == ("Dan", "Retired")
    data = json.loads(get(client, pig_contest, "export.json"))
    assert data["contest"]["lowest_wins"] is True
    assert "riders" not in data["standings"][0]

    ann = read_csv(get(client, drag_contest, "export.csv"))[0]
    assert (ann["Races won"], ann["Heat difference"], ann["Tables"]) == ("1", "3", "2")
    assert ann["Decided by"] == "Races won, then Heat difference"
    first = json.loads(get(client, drag_contest, "export.json"))["standings"][0]
    assert (first["total"], first["margin"], first["tables"]) == (1, 3, 2)
    assert "margin" not in data["standings"][0]
    headings, row, *_others = read_sheets(get(client, drag_contest, "export.xlsx"))["Standings"]
    assert dict(zip(headings, row, strict=True))["Heat difference"] == 3


@pytest.mark.usefixtures("rogue_tables")
def test_the_cards_have_a_row_for_every_seat_with_its_table(client: Client, rogue_contest: Contest) -> None:
    lines = read_csv(get(client, rogue_contest, "cards.csv"))
    data = json.loads(get(client, rogue_contest, "export.json"))["cards"]

    seats = [("1", "Ann", "250"), ("1", "Ben", "300"), ("2", "Cleo", "250"), ("2", "Dan", "0"), ("2", "Eve", "0")]
    assert [(line["Table"], line["Name"], line["Points"]) for line in lines] == seats
    assert [(str(card["table"]), card["name"], str(card["total"])) for card in data] == seats
    assert lines[3]["Points to the target"] == "250"
    assert "Scorecards" in read_sheets(get(client, rogue_contest, "export.xlsx"))


def test_lines_with_the_same_label_include_their_section(
    client: Client, event: Event, add_table: AddTable, add_action: AddAction
) -> None:
    race = Contest.objects.create(
        event=event, name="Race", slug="race", game_key="grand-prix", rules_version=1, seats_are="players"
    )
    add_action(add_table("Ann", contest=race), {"type": "retire"})

    (line,) = read_csv(get(client, race, "cards.csv"))

    assert len(line) == len(race.game.sheet(race.game.start(race.ruleset, 1)).lines) + 3
    assert sum(heading.endswith(": Unused damage") for heading in line) >= 2


def test_bikes_at_tables_have_numbers_and_riders(
    ride: Ride, client: Client, rogue_contest: Contest, desk: Actor, add_action: AddAction
) -> None:
    Contest.objects.filter(pk=rogue_contest.pk).update(seats_are="bikes")
    operation = uuid4()
    create_tables(desk, operation, rogue_contest.pk, [[ride.bikes[2].pk, ride.bikes[1].pk]])
    add_action(Entry.objects.get(operation_id=operation).chain_id, {"seat": 0, "type": "retire"})

    lines = read_csv(get(client, rogue_contest, "cards.csv"))
    assert [(line["Bike"], line["Riders"]) for line in lines] == [("2", "Ben, Zoe"), ("1", "Ann")]
    assert [line["Bike"] for line in read_csv(get(client, rogue_contest, "export.csv"))] == ["1", "2"]


def test_the_log_names_a_table_by_all_its_seats_and_includes_withdrawn_cards(
    client: Client, alice: User, sign_in: Any, desk: Actor, rogue_contest: Contest, rogue_tables: list[UUID]
) -> None:
    withdraw_table(desk, uuid4(), rogue_tables[2], "went home")

    lines = read_csv(get(sign_in(alice), rogue_contest, "log.csv", "desk_export"))

    assert len(lines) == Entry.objects.count()
    names = ["Ann, Ben", "Cleo, Dan, Eve", "Withdrawn scorecard"]
    assert [line["Chain"] for line in lines if line["Kind"] == "deal"] == names
    assert [line["Chain"] for line in lines if line["Kind"] == "withdraw"] == ["Withdrawn scorecard"]
    assert "Log" in read_sheets(get(sign_in(alice), rogue_contest, "export.xlsx", "desk_export"))


@pytest.mark.parametrize("file", FILES)
def test_a_contest_without_entries_has_empty_files(client: Client, rogue_contest: Contest, file: str) -> None:
    assert get(client, rogue_contest, file)


@pytest.mark.usefixtures("pig_tables")
@pytest.mark.parametrize("file", [*FILES, "log.csv"])
def test_the_number_of_queries_does_not_depend_on_the_number_of_tables(
    pig_contest: Contest, alice: User, sign_in: Any, add_table: AddTable, add_action: AddAction, file: str
) -> None:
    organiser = sign_in(alice)

    def statements() -> int:
        refresh_standings(pig_contest.pk)
        with CaptureQueriesContext(connection) as queries:
            get(organiser, pig_contest, file, "desk_export")
        return len(queries)

    few = statements()
    for name in ("Finn", "Gail", "Hal", "Zoe"):
        card = add_table(name)
        add_action(card, make_throw(3))
        add_action(card, BANK)

    assert statements() == few

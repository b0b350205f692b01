"""`/events/<slug>/`: the contests of an event, and who leads."""

from __future__ import annotations

import datetime as dt
import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, make_throw


def contests_of(client: Client, event: Event) -> list[tuple[str, str, str]]:
    """Return name, badge and leader of every contest on the page."""
    page = get_page_text(client.get(reverse("results:event", args=[event.slug])))
    found = []
    for one in re.findall(r'<li class="panel.*?</li>', page):
        texts = [re.sub(r"<.*?>", "", part).strip() for part in re.split(r"</h2>|<span class=\"hint\">|</p>", one)]
        found.append((texts[0], texts[1], next((text for text in texts if ": " in text), "")))
    return found


@pytest.mark.usefixtures("tied_bikes", "rogue_tables", "pig_tables", "drag_tables")
def test_every_contest_shows_its_leader_and_total(ride: Ride, client: Client, update_standings, add_turn) -> None:
    add_turn(4, 2, make_paper_turn("sixes", 30))
    update_standings()

    assert contests_of(client, ride.event) == [
        ("R.O.C.K. Yahtzee", "Open", "In the lead: Bike 4 (Dan), Total: 50"),
        ("Campfire", "Open", "In the lead: Ben, Points: 300"),
        ("Pig race", "Open", "In the lead: Ben and Cleo, Total: 2"),
        ("The strip", "Open", "In the lead: Ann, Races won: 1"),
    ]
    assert "Drag Rage" in get_page_text(client.get(reverse("results:event", args=[ride.event.slug])))


def test_no_leader_is_shown_while_nobody_has_started(client: Client, pig_contest: Contest, add_table: AddTable) -> None:
    add_table("Ann")
    refresh_standings(pig_contest.pk)

    assert contests_of(client, pig_contest.event)[-1] == ("Pig race", "Open", "")


@pytest.mark.usefixtures("pig_tables")
def test_the_first_place_of_an_official_contest_is_the_published_one(
    client: Client, pig_contest: Contest, desk: Actor, add_table: AddTable, add_action: AddAction
) -> None:
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), pig_contest.pk, "Eve fell asleep")
    pig_contest.standings_rows.filter(player__name="Ben").update(tie_key=1)

    assert contests_of(client, pig_contest.event)[-1] == ("Pig race", "Official", "First place: Ben and Cleo, Total: 2")


def test_many_tied_leaders_are_counted(
    client: Client, pig_contest: Contest, add_table: AddTable, add_action: AddAction
) -> None:
    for name in ("Ann", "Ben", "Cleo", "Dan", "Eve"):
        add_action(add_table(name), make_throw(3))
    refresh_standings(pig_contest.pk)

    assert contests_of(client, pig_contest.event)[-1][2] == "In the lead: Ann, Ben, Cleo and 2 more, Total: 1"


@pytest.mark.usefixtures("rogue_tables")
def test_large_totals_are_formatted_as_on_other_pages(client: Client, rogue_contest: Contest) -> None:
    rogue_contest.standings_rows.filter(player__name="Ben").update(total=1240)
    assert ("Campfire", "Open", "In the lead: Ben, Points: 1240") in contests_of(client, rogue_contest.event)
    board = client.get(reverse("results:leaderboard", args=[rogue_contest.event.slug, rogue_contest.slug]))
    assert ">1240<" in get_page_text(board)


@pytest.mark.usefixtures("rogue_tables")
def test_names_follow_the_events_settings(client: Client, rogue_contest: Contest) -> None:
    Event.objects.update(people_shown="initials")
    assert ("Campfire", "Open", "In the lead: B., Points: 300") in contests_of(client, rogue_contest.event)


@pytest.mark.usefixtures("pig_tables")
def test_the_number_of_queries_depends_neither_on_contests_nor_on_players(
    request: pytest.FixtureRequest, client: Client, pig_contest: Contest, add_table: AddTable, add_action: AddAction
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            contests_of(client, pig_contest.event)
        return len(queries)

    few = statements()
    request.getfixturevalue("rogue_tables")
    request.getfixturevalue("drag_tables")
    card = add_table("Finn")
    add_action(card, make_throw(3))
    add_action(card, BANK)
    refresh_standings(pig_contest.pk)

    assert statements() == few


def test_riders_are_invited_to_sign_up_while_they_can(ride: Ride, client: Client) -> None:
    sign_up = reverse("players:sign_up", args=[ride.event.slug])
    page = reverse("results:event", args=[ride.event.slug])
    assert sign_up not in get_page_text(client.get(page))

    Event.objects.update(is_sign_up_open=True, date=timezone.localdate() + dt.timedelta(days=7))
    assert sign_up in get_page_text(client.get(page))
    assert client.get(sign_up).status_code == 200

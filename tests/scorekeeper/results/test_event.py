"""`/events/<slug>/`: what is played, and who leads."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.actors import Actor
from scorekeeper.standings.services.closing import close_contest
from scorekeeper.standings.services.follow import follow_contest
from scorekeeper.standings.services.publishing import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.conftest import paper
from tests.scorekeeper.tables.conftest import BANK, Act, Deal, throw


def contests_of(client: Client, event: Event) -> list[tuple[str, str, str]]:
    """Name, badge and lead of every contest on the page."""
    page = text_of(client.get(reverse("results:event", args=[event.slug])))
    found = []
    for one in re.findall(r'<li class="panel.*?</li>', page):
        texts = [re.sub(r"<.*?>", "", part).strip() for part in re.split(r"</h2>|<span class=\"hint\">|</p>", one)]
        found.append((texts[0], texts[1], next((text for text in texts if ": " in text), "")))
    return found


@pytest.mark.usefixtures("level", "campfires", "pigs", "races")
def test_every_contest_says_who_leads_with_what(ride: Ride, client: Client, follow, note) -> None:
    note(4, 2, paper("sixes", 30))
    follow()

    assert contests_of(client, ride.event) == [
        ("R.O.C.K. Yahtzee", "Open", "In the lead: Bike 4 (Dan), Total: 50"),
        ("Campfire", "Open", "In the lead: Ben, Points: 300"),
        ("Pig race", "Open", "In the lead: Ben and Cleo, Total: 2"),
        ("The strip", "Open", "In the lead: Ann, Heats won: 3"),
    ]
    assert "Drag Rage" in text_of(client.get(reverse("results:event", args=[ride.event.slug])))


def test_nothing_is_said_of_a_lead_while_nobody_has_begun(client: Client, pig: Contest, deal: Deal) -> None:
    deal("Ann")
    follow_contest(pig.pk)

    assert contests_of(client, pig.event)[-1] == ("Pig race", "Open", "")


@pytest.mark.usefixtures("pigs")
def test_the_first_place_of_an_official_contest_is_the_published_one(
    client: Client, pig: Contest, desk: Actor, deal: Deal, act: Act
) -> None:
    close_contest(desk, uuid4(), pig.pk, "bedtime")
    publish_contest(desk, uuid4(), pig.pk, "Eve fell asleep")
    pig.standings_rows.filter(player__name="Ben").update(tie_key=1)

    assert contests_of(client, pig.event)[-1] == ("Pig race", "Official", "First place: Ben and Cleo, Total: 2")


def test_a_crowd_at_the_first_place_is_counted(client: Client, pig: Contest, deal: Deal, act: Act) -> None:
    for name in ("Ann", "Ben", "Cleo", "Dan", "Eve"):
        act(deal(name), throw(3))
    follow_contest(pig.pk)

    assert contests_of(client, pig.event)[-1][2] == "In the lead: Ann, Ben, Cleo and 2 more, Total: 1"


@pytest.mark.usefixtures("campfires")
def test_large_totals_are_written_as_on_every_other_page(client: Client, campfire: Contest) -> None:
    campfire.standings_rows.filter(player__name="Ben").update(total=1240)
    assert ("Campfire", "Open", "In the lead: Ben, Points: 1240") in contests_of(client, campfire.event)
    board = client.get(reverse("results:leaderboard", args=[campfire.event.slug, campfire.slug]))
    assert ">1240<" in text_of(board)


@pytest.mark.usefixtures("campfires")
def test_people_are_shown_as_the_event_says(client: Client, campfire: Contest) -> None:
    Event.objects.update(people_shown="initials")
    assert ("Campfire", "Open", "In the lead: B., Points: 300") in contests_of(client, campfire.event)


@pytest.mark.usefixtures("pigs")
def test_the_number_of_statements_depends_neither_on_contests_nor_on_players(
    request: pytest.FixtureRequest, client: Client, pig: Contest, deal: Deal, act: Act
) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            contests_of(client, pig.event)
        return len(queries)

    few = statements()
    request.getfixturevalue("campfires")
    request.getfixturevalue("races")
    card = deal("Finn")
    act(card, throw(3))
    act(card, BANK)
    follow_contest(pig.pk)

    assert statements() == few

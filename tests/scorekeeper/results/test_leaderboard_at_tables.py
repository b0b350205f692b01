"""`/events/<slug>/<contest>/` of a contest that is played at tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urljoin
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import Actor
from scorekeeper.standings.services.closing import close_contest
from scorekeeper.standings.services.follow import follow_contest
from scorekeeper.tables.services.dealing import deal_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.statements import count_statements
from tests.scorekeeper.tables.conftest import Act, Deal, throw


def board_of(contest: Contest) -> str:
    return reverse("results:leaderboard", args=[contest.event.slug, contest.slug])


def rows_of(client: Client, contest: Contest) -> list[tuple[str, str, str, str, str]]:
    """Place, name, note, how far and total of each row, as they stand on the page."""
    page = text_of(client.get(board_of(contest)))
    found = []
    for row in re.findall(r"<tr id=.*?</tr>", page):
        cells = re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)
        rank, name, _changed, far, total = cells
        note = re.search(r"<small>(.*?)</small>", name)
        named = re.sub(r"<small>.*?</small>|<.*?>", "", name).strip()
        found.append((re.sub(r"<.*?>", "", rank).strip(), named, note[1] if note else "", far.strip(), total.strip()))
    return found


@pytest.mark.usefixtures("pigs")
def test_names_lead_where_nobody_has_a_number_and_the_lowest_total_comes_first(client: Client, pig: Contest) -> None:
    assert rows_of(client, pig) == [
        ("1=", "Ben", "Level", "Finished", "2"),
        ("1=", "Cleo", "Level", "Finished", "2"),
        ("3", "Ann", "", "Finished", "3"),
        ("4", "Dan", "Retired", "", "1"),
        ("–", "Eve", "not yet played", "", "–"),
    ]
    page = text_of(client.get(board_of(pig)))
    assert "Total: the lowest wins." in page
    assert "Bike</th>" not in page
    assert "Turns</th>" not in page


@pytest.mark.usefixtures("campfires")
def test_the_total_is_headed_as_the_game_calls_it(client: Client, campfire: Contest) -> None:
    page = text_of(client.get(board_of(campfire)))

    assert ">Points</th>" in page
    assert "the lowest wins" not in page
    assert rows_of(client, campfire)[:3] == [
        ("1", "Ben", "", "Finished", "300"),
        ("2=", "Ann", "Level", "Finished", "250"),
        ("2=", "Cleo", "Level", "In play", "250"),
    ]


@pytest.mark.usefixtures("pigs")
def test_a_tie_of_a_game_that_does_not_cut_never_asks_for_cards(client: Client, desk: Actor, pig: Contest) -> None:
    close_contest(desk, uuid4(), pig.pk, "bedtime")
    follow_contest(pig.pk)
    pig.refresh_from_db()

    assert [row[2] for row in rows_of(client, pig)[:2]] == ["Level", "Level"]
    assert "cut" not in text_of(client.get(board_of(pig))).replace("board-table", "")


def test_where_somebody_may_hold_several_cards_the_board_says_how_many_were_played(
    client: Client, strip: Contest, races: list[UUID]
) -> None:
    assert rows_of(client, strip) == [
        ("1", "Ann", "", "2 tables", "3"),
        ("2=", "Ben", "Level", "1 table", "0"),
        ("2=", "Cleo", "Level", "1 table", "0"),
    ]


@pytest.mark.usefixtures("campfires")
def test_a_row_leads_to_its_holders_tables(client: Client, campfire: Contest, people: Mapping[str, Player]) -> None:
    board = board_of(campfire)
    href = re.search(r'href="([^"]*)">Ann</a>', text_of(client.get(board)))
    assert href
    assert urljoin(board, href[1]) == reverse(
        "results:seats", args=[campfire.event.slug, campfire.slug, people["Ann"].pk]
    )


@pytest.mark.usefixtures("campfires")
@pytest.mark.parametrize(
    ("shown", "names"),
    [("initials", ["B.", "A.", "C."]), ("numbers", ["Rider of bike 2", "Rider of bike 1", "Rider of bike 3"])],
)
def test_a_row_is_never_without_a_name_to_click(
    client: Client, campfire: Contest, shown: str, names: list[str]
) -> None:
    Event.objects.update(people_shown=shown)
    assert [row[1] for row in rows_of(client, campfire)[:3]] == names


def test_nobody_played_yet_is_said(client: Client, campfire: Contest) -> None:
    assert "Nobody has played yet" in text_of(client.get(board_of(campfire)))


def test_bikes_at_a_table_keep_their_numbers(ride: Ride, client: Client, campfire: Contest, desk: Actor) -> None:
    Contest.objects.filter(pk=campfire.pk).update(seats_are="bikes")
    campfire.refresh_from_db()
    deal_tables(desk, uuid4(), campfire.pk, [[ride.bikes[2].pk, ride.bikes[1].pk]])
    follow_contest(campfire.pk)

    page = text_of(client.get(board_of(campfire)))

    assert "Bike</th>" in page
    assert "Ben, Zoe" in page


@pytest.mark.usefixtures("pigs")
def test_the_number_of_statements_does_not_depend_on_the_number_of_tables(
    client: Client, pig: Contest, deal: Deal, act: Act
) -> None:
    def statements() -> int:
        return count_statements(client, board_of(pig))

    few = statements()
    for name in ("Finn", "Gail", "Hal", "Zoe"):
        act(deal(name), throw(3))
    follow_contest(pig.pk)

    assert statements() == few

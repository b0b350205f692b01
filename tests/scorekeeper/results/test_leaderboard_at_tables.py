"""`/events/<slug>/<contest>/` for a contest that is played at tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urljoin
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from games.core.registry import find_games
from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.tables.services import create_tables
from tests.games.drag_rage.table import win_quickly
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.statements import count_statements
from tests.scorekeeper.table_fixtures import AddAction, AddTable, make_contest, make_throw

pytestmark = pytest.mark.database


def board_of(contest: Contest) -> str:
    return reverse("results:leaderboard", args=[contest.event.slug, contest.slug])


def rows_of(client: Client, contest: Contest) -> list[tuple[str, str, str, str, str]]:
    """Return place, name, status, progress and total of each row on the page."""
    page = get_page_text(client.get(board_of(contest)))
    found = []
    for row in re.findall(r"<tr id=.*?</tr>", page):
        cells = re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)
        rank, name, _changed, progress, total = cells
        status = re.search(r"<small>(.*?)</small>", name)
        named = re.sub(r"<small>.*?</small>|<.*?>", "", name).strip()
        place = re.sub(r"<.*?>", "", rank).strip()
        found.append((place, named, status[1] if status else "", progress.strip(), total.strip()))
    return found


@pytest.mark.usefixtures("pig_tables")
def test_names_come_first_where_nobody_has_a_number_and_the_lowest_total_wins(
    client: Client, pig_contest: Contest
) -> None:
    assert rows_of(client, pig_contest) == [
        ("1=", "Ben", "Tied", "Finished", "2"),
        ("1=", "Cleo", "Tied", "Finished", "2"),
        ("3", "Ann", "", "Finished", "3"),
        ("4", "Dan", "Retired", "", "1"),
        ("–", "Eve", "not yet played", "", "–"),
    ]
    page = get_page_text(client.get(board_of(pig_contest)))
    assert "Total: the lowest wins." in page
    assert "Bike</th>" not in page
    assert "Turns</th>" not in page


@pytest.mark.usefixtures("rogue_tables")
def test_the_total_has_the_games_heading(client: Client, rogue_contest: Contest) -> None:
    page = get_page_text(client.get(board_of(rogue_contest)))

    assert ">Points</th>" in page
    assert "the lowest wins" not in page
    assert rows_of(client, rogue_contest)[:3] == [
        ("1", "Ben", "", "Finished", "300"),
        ("2=", "Ann", "Tied", "Finished", "250"),
        ("2=", "Cleo", "Tied", "In play", "250"),
    ]


@pytest.mark.usefixtures("pig_tables")
def test_a_tie_in_a_game_without_cuts_never_asks_for_cards(client: Client, desk: Actor, pig_contest: Contest) -> None:
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")
    refresh_standings(pig_contest.pk)
    pig_contest.refresh_from_db()

    assert [row[2] for row in rows_of(client, pig_contest)[:2]] == ["Tied", "Tied"]
    assert "cut" not in get_page_text(client.get(board_of(pig_contest))).replace("board-table", "")


def test_where_several_tables_are_allowed_the_board_shows_how_many_were_played(
    client: Client, drag_contest: Contest, drag_tables: list[UUID]
) -> None:
    assert rows_of(client, drag_contest) == [
        ("1", "Ann", "Heat difference: +3", "2 tables", "1"),
        ("2", "Cleo", "Heat difference: −1", "1 table", "0"),
        ("3", "Ben", "Heat difference: −2", "1 table", "0"),
    ]


@pytest.mark.usefixtures("drag_tables")
def test_races_won_count_before_heats(
    client: Client, drag_contest: Contest, add_table: AddTable, add_action: AddAction
) -> None:
    """DRAG-29: Dan has won three heats and no race, Eve a race because Hal has left it."""
    for pair, actions in {("Dan", "Finn"): win_quickly(0), ("Dan", "Gail"): win_quickly(0)}.items():
        card = add_table(*pair, contest=drag_contest)
        for action in actions:
            add_action(card, action)
    add_action(add_table("Eve", "Hal", contest=drag_contest), {"seat": 1, "type": "retire"})
    refresh_standings(drag_contest.pk)

    shown = [(rank, name, note, total) for rank, name, note, _far, total in rows_of(client, drag_contest)]
    assert shown[:3] == [
        ("1", "Ann", "Heat difference: +3", "1"),
        ("2", "Eve", "Heat difference: 0", "1"),
        ("3", "Dan", "Heat difference: +2", "0"),
    ]
    assert shown[-1] == ("8", "Hal", "Retired. Heat difference: 0", "0")


@pytest.mark.parametrize("key", [key for key, game in find_games().items() if game.recorded_by == "action"])
def test_the_board_of_every_table_game_says_what_its_total_counts(
    client: Client, event: Event, add_table: AddTable, key: str
) -> None:
    contest = make_contest(event, key, "At the tables", 5)
    add_table(*["Ann", "Ben"][: get_game(key).seat_limits[0]], contest=contest)
    refresh_standings(contest.pk)

    heading = re.findall(r'<th scope="col">([^<]*)</th>', get_page_text(client.get(board_of(contest))))[-1]
    assert heading not in ("", "Total")


@pytest.mark.usefixtures("rogue_tables")
def test_a_row_links_to_its_entrants_tables(
    client: Client, rogue_contest: Contest, people: Mapping[str, Player]
) -> None:
    board = board_of(rogue_contest)
    href = re.search(r'href="([^"]*)">Ann</a>', get_page_text(client.get(board)))
    assert href
    assert urljoin(board, href[1]) == reverse(
        "results:seats", args=[rogue_contest.event.slug, rogue_contest.slug, people["Ann"].pk]
    )


@pytest.mark.usefixtures("rogue_tables")
@pytest.mark.parametrize(
    ("shown", "names"),
    [("initials", ["B.", "A.", "C."]), ("numbers", ["Rider of bike 2", "Rider of bike 1", "Rider of bike 3"])],
)
def test_a_row_is_never_without_a_name_to_click(
    client: Client, rogue_contest: Contest, shown: str, names: list[str]
) -> None:
    Event.objects.update(people_shown=shown)
    assert [row[1] for row in rows_of(client, rogue_contest)[:3]] == names


def test_a_board_without_games_says_so(client: Client, rogue_contest: Contest) -> None:
    assert "Nobody has played yet" in get_page_text(client.get(board_of(rogue_contest)))


def test_bikes_at_a_table_keep_their_numbers(ride: Ride, client: Client, rogue_contest: Contest, desk: Actor) -> None:
    Contest.objects.filter(pk=rogue_contest.pk).update(seats_are="bikes")
    rogue_contest.refresh_from_db()
    create_tables(desk, uuid4(), rogue_contest.pk, [[ride.bikes[2].pk, ride.bikes[1].pk]])
    refresh_standings(rogue_contest.pk)

    page = get_page_text(client.get(board_of(rogue_contest)))

    assert "Bike</th>" in page
    assert "Ben, Zoe" in page


@pytest.mark.usefixtures("pig_tables")
def test_the_number_of_queries_does_not_depend_on_the_number_of_tables(
    client: Client, pig_contest: Contest, add_table: AddTable, add_action: AddAction
) -> None:
    def statements() -> int:
        return count_statements(client, board_of(pig_contest))

    few = statements()
    for name in ("Finn", "Gail", "Hal", "Zoe"):
        add_action(add_table(name), make_throw(3))
    refresh_standings(pig_contest.pk)

    assert statements() == few

"""The chances to win of a poker run: in the worker, on the public pages, on a screen and in the API."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from games.core.chances import list_place_chances
from games.core.odds import Endings
from games.core.time_limit import TimeLimit
from games.poker_run import GAME
from scorekeeper.audience.services import freeze_standings
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.sources import ScreenSource
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.chances import SMALLEST
from scorekeeper.standings.models import ChancesReport
from scorekeeper.standings.services.chances_computation import compute_chances
from scorekeeper.standings.wording import format_chance
from tests.games.poker_run.table import draws, play
from tests.scorekeeper.api.program import read
from tests.scorekeeper.conftest import Ride, SignIn, change_game
from tests.scorekeeper.page_checks import get_visible_text

HANDS = {1: "KS KH 9D", 2: "AS AH", 3: "QS QH", 4: "2S 3H"}
NOTE = ", if every hand gets all its cards."


@pytest.fixture
def options() -> dict[str, Any]:
    return {}


@pytest.fixture
def contest(contest: Contest, options: dict[str, Any]) -> Contest:
    contest.odds_shown = Contest.OddsShown.SCREEN
    return change_game(contest, "poker-run", **options)


@pytest.fixture
def drawn(ride: Ride, add_turn: Any, update_standings: Any) -> Ride:
    """Bikes 1 to 4 have drawn cards; bikes 5 to 8 have yet to start."""
    for number, cards in HANDS.items():
        for slot, card in enumerate(cards.split(), 1):
            add_turn(number, slot, [{"type": "draw", "cards": [card]}])
    update_standings()
    assert compute_chances(ride.contest.pk)
    return ride


def get_stored(ride: Ride) -> dict[int, list[float]]:
    """The stored chances by the number of the bike."""
    chances = ChancesReport.objects.get(pk=ride.contest.pk).chances
    return {number: chances[str(bike.pk)] for number, bike in ride.bikes.items() if str(bike.pk) in chances}


def list_shown(ride: Ride, number: int) -> list[float]:
    """What is shown of a bike: nothing is said to be certain."""
    return [min(max(chance, SMALLEST), 1 - SMALLEST) for chance in get_stored(ride)[number]]


def get_text(ride: Ride, number: int) -> str:
    win, among = list_shown(ride, number)
    return f"Chance to win: {format_chance(win)}, among the first three: {format_chance(among)}"


def get_url(ride: Ride, page: str, *args: object) -> str:
    return reverse(f"results:{page}", args=[ride.event.slug, ride.contest.slug, *args])


@pytest.mark.parametrize("options", [{}, {"goal": "low"}, {"deck": "each_stop", "jokers": 1}], ids=str)
def test_they_come_from_what_each_hand_may_end_as(drawn: Ride, options: dict[str, Any]) -> None:
    def end(cards: str) -> Endings:
        found = GAME.endings(play(*draws(cards), **options), 0, TimeLimit())
        assert found is not None
        return found

    endings = {number: end(HANDS.get(number, "")) for number in drawn.bikes}
    expected = list_place_chances(endings)

    stored = get_stored(drawn)

    assert set(stored) == set(drawn.bikes)
    for number, chances in stored.items():
        assert chances == pytest.approx(list(expected[number]), rel=1e-9)
    assert sum(win for win, _ in stored.values()) == pytest.approx(1)
    if options.get("goal") == "low":
        assert stored[4][0] > 10 * max(stored[number][0] for number in (1, 2, 3))
    elif not options:
        assert stored[2][0] > stored[3][0] > stored[1][0] > stored[4][0], "a card less to come costs more than a rank"


def test_the_board_and_the_page_of_a_bike_have_those_of_bikes_that_have_started(drawn: Ride, client: Client) -> None:
    board = get_visible_text(client.get(get_url(drawn, "leaderboard")))
    for number in HANDS:
        assert get_text(drawn, number) in board
    assert board.count("Chance to win") == len(HANDS)
    assert NOTE in board
    assert "high average" not in board

    page = get_visible_text(client.get(get_url(drawn, "bike", drawn.bikes[2].pk)))
    assert f"{get_text(drawn, 2)}." in page
    assert NOTE in page
    assert "Chance to win" not in get_visible_text(client.get(get_url(drawn, "bike", drawn.bikes[5].pk)))


def test_a_screen_has_them(drawn: Ride) -> None:
    snapshot = ScreenSource(drawn.event).take_snapshot()
    assert snapshot is not None
    assert get_text(drawn, 1) in snapshot.render_swap()


def test_programs_read_them(drawn: Ride) -> None:
    answer = read(Client(), "standings", drawn.event.slug, drawn.contest.slug)
    by_number = {row["number"]: row.get("chances") for row in answer["standings"]}
    for number in HANDS:
        win, among = list_shown(drawn, number)
        assert by_number[str(number)] == {"win": round(win, 6), "among_first": round(among, 6)}
    assert by_number["5"] is None
    assert answer["chances"]["places"] == 3


@pytest.mark.parametrize("when", ["off", "frozen", "closed"])
def test_nothing_is_told_where_nothing_may_be(drawn: Ride, client: Client, close: Any, when: str) -> None:
    if when == "off":
        Contest.objects.update(odds_shown=Contest.OddsShown.OFF)
    elif when == "frozen":
        freeze_standings(drawn.event)
    else:
        close()
    for url in (get_url(drawn, "leaderboard"), get_url(drawn, "bike", drawn.bikes[1].pk)):
        text = get_visible_text(client.get(url))
        assert "Chance to" not in text
        assert "Chances as of" not in text
    assert "chances" not in str(read(Client(), "standings", drawn.event.slug, drawn.contest.slug))


def test_a_bike_that_has_retired_does_not_count(drawn: Ride, desk: Any, update_standings: Any) -> None:
    before = get_stored(drawn)
    retire_bike(desk, uuid4(), drawn.contest.pk, drawn.bikes[1].pk, "flat tyre")
    update_standings()
    ChancesReport.objects.update(started_at=None)

    assert compute_chances(drawn.contest.pk)

    after = get_stored(drawn)
    assert 1 not in after
    assert all(after[number][0] > before[number][0] for number in after)


def test_an_organiser_may_choose_them(event: Event, alice: User, sign_in: SignIn) -> None:
    page = sign_in(alice).get(f"/desk/events/{event.slug}/contests/new/poker-run/")
    text = get_visible_text(page)
    assert "Chances to win, and of each hand" in text
    for value in ("off", "screen", "coach"):
        assert f'name="odds_shown" value="{value}"' in page.content.decode()

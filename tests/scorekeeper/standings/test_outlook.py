"""What everybody can still come to: on its own, and on the pages of the ride."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.scorecards.services.corrections import retire_bike
from scorekeeper.standings.models import StandingsRow
from scorekeeper.standings.outlook import ScoreRange, compute_outlooks
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.outlooks import get_outlook
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

TOTALS = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)).map(sorted)


def chances(*totals: tuple[int, int, int], prizes: int = 1, lowest_wins: bool = False) -> list[str]:
    hopes = [ScoreRange(UUID(int=n), now, best, worst) for n, (worst, now, best) in enumerate(totals)]
    found = compute_outlooks(hopes, prizes, lowest_wins=lowest_wins)
    return [found[hope.holder_id].chance if found else "-" for hope in hopes]


def test_the_first_place_is_safe_when_nobody_else_can_even_draw_level() -> None:
    assert chances((50, 50, 60), (10, 20, 49)) == ["first_safe", "first_gone"]
    assert chances((50, 50, 60), (10, 20, 50)) == ["", ""]


def test_the_places_that_win_count_when_there_are_several() -> None:
    rows = ((50, 50, 60), (30, 30, 55), (10, 20, 49), (5, 5, 29))
    assert chances(*rows, prizes=2) == ["prize_safe", "", "", "prizes_gone"]
    assert chances(*rows, prizes=3) == ["prize_safe", "prize_safe", "", ""]


def test_where_the_lowest_wins_it_is_the_other_way_round() -> None:
    assert chances((9, 5, 4), (20, 12, 10), lowest_wins=True) == ["first_safe", "first_gone"]
    assert chances((9, 5, 4), (20, 12, 9), lowest_wins=True) == ["", ""]


def test_somebody_alone_has_won_nothing_yet() -> None:
    assert chances((50, 50, 60)) == ["-"]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TOTALS, min_size=2, max_size=6), st.integers(1, 3), st.data())
def test_no_way_to_go_on_gives_it_the_lie(totals: list[list[int]], prizes: int, data: st.DataObject) -> None:
    hopes = [ScoreRange(UUID(int=number), now, best, worst) for number, (worst, now, best) in enumerate(totals)]
    outlooks = compute_outlooks(hopes, prizes)
    ends = [data.draw(st.integers(hope.worst, hope.best)) for hope in hopes]

    for hope, end in zip(hopes, ends, strict=True):
        others = [other for other, whose in zip(ends, hopes, strict=True) if whose != hope]
        above, not_below = sum(other > end for other in others), sum(other >= end for other in others)
        outlook = outlooks[hope.holder_id]
        assert outlook.chance != "first_safe" or not_below == 0
        assert outlook.chance != "prize_safe" or not_below < prizes
        assert outlook.chance not in ("first_gone", "prizes_gone") or above >= prizes
        assert outlook.can_lead or above > 0
        assert max(others) <= outlook.ceiling
        assert max(others) >= outlook.guaranteed


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TOTALS, min_size=2, max_size=6), st.integers(1, 3))
def test_what_is_not_decided_can_still_go_either_way(totals: list[list[int]], prizes: int) -> None:
    hopes = [ScoreRange(UUID(int=number), now, best, worst) for number, (worst, now, best) in enumerate(totals)]
    for hope in hopes:
        outlook = compute_outlooks(hopes, prizes)[hope.holder_id]
        others = [other for other in hopes if other != hope]
        if outlook.chance not in ("first_safe", "prize_safe"):
            assert sum(other.best >= hope.worst for other in others) >= prizes
        if outlook.chance not in ("first_gone", "prizes_gone"):
            assert sum(other.worst > hope.best for other in others) < prizes


def finish(add_turn, number: int, *points: int) -> None:
    """The rest of a card: fives, sixes, fours, threes in this order at the stops after the first."""
    for slot, (box, scored) in enumerate(zip(("fives", "sixes", "fours", "threes"), points, strict=False), 2):
        add_turn(number, slot, make_paper_turn(box, scored))


def page_of(ride: Ride, number: int) -> str:
    address = reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[number].pk])
    return get_visible_text(Client().get(address))


def board_of(ride: Ride) -> str:
    return get_visible_text(Client().get(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])))


def test_a_bike_is_told_what_it_can_reach_and_what_it_takes_to_lead(ride: Ride, add_turn, update_standings) -> None:
    """ROCK-2, ROCK-14: with 20 in chance four turns are left: 50, 50, 100 and 40."""
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    update_standings()

    assert "Best possible total: 260. Worst possible total: 20." in page_of(ride, 1)
    assert "It takes a total better than 24 to lead alone." in page_of(ride, 1)
    assert "In the lead. Nobody else can reach a total better than 260." in page_of(ride, 2)
    assert "What is still possible" not in page_of(ride, 3)
    assert "Can no longer win" not in board_of(ride)


def test_what_is_decided_stands_in_words_on_the_board_and_on_the_bikes_page(
    ride: Ride, add_turn, update_standings
) -> None:
    for number, points in ((1, (25, 30, 20, 15)), (2, (5, 6, 4, 3))):
        add_turn(number, 1, make_paper_turn("chance", 20))
        finish(add_turn, number, *points)
    update_standings()

    board = board_of(ride)
    assert "Nobody who has started can catch up" in board
    assert "Can no longer win" in board
    assert "Nobody who has started can catch up: the best that anyone else can reach is 38." in page_of(ride, 1)
    assert "First place is out of reach: someone else is certain of 145." in page_of(ride, 2)
    assert "At best" not in page_of(ride, 2)


def test_whoever_retired_wins_nothing_and_stands_in_nobodys_way(ride: Ride, add_turn, update_standings) -> None:
    """TABLE-3"""
    for number in (1, 2, 3):
        add_turn(number, 1, make_paper_turn("chance", 20 + number))
    finish(add_turn, 3, 25, 30)
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[3].pk, "flat tyre")
    update_standings()

    assert get_outlook(ride.contest, ride.bikes[3].pk) is None
    outlook = get_outlook(ride.contest, ride.bikes[1].pk)
    assert outlook is not None
    assert (outlook.to_beat, outlook.chance) == (22, "")


def test_once_the_contest_is_closed_nothing_is_left_to_need(ride: Ride, add_turn, update_standings, close) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    close()
    update_standings()

    assert "What is still possible" not in page_of(ride, 1)
    ride.contest.refresh_from_db()
    assert [row.outlook for row in get_live_leaderboard(ride.contest).rows if row.is_ranked] == [None, None]


def test_as_long_as_it_is_not_known_of_one_nothing_is_said_of_any(ride: Ride, add_turn, update_standings) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    update_standings()
    StandingsRow.objects.filter(bike=ride.bikes[1]).update(best_total=None)

    assert get_outlook(ride.contest, ride.bikes[2].pk) is None


def test_one_statement_tells_it(ride: Ride, add_turn, update_standings) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    update_standings()

    with CaptureQueriesContext(connection) as queries:
        assert get_outlook(ride.contest, ride.bikes[1].pk) is not None
    assert len(queries) == 1

"""Outlooks: their computation, and their texts on the pages of the ride."""

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


def compute_chances(*totals: tuple[int, int, int], prizes: int = 1, lowest_wins: bool = False) -> list[str]:
    ranges = [ScoreRange(UUID(int=n), now, best, worst) for n, (worst, now, best) in enumerate(totals)]
    found = compute_outlooks(ranges, prizes, lowest_wins=lowest_wins)
    return [found[score.holder_id].chance if found else "-" for score in ranges]


def test_the_first_place_is_safe_when_nobody_else_can_even_tie() -> None:
    assert compute_chances((50, 50, 60), (10, 20, 49)) == ["first_safe", "first_gone"]
    assert compute_chances((50, 50, 60), (10, 20, 50)) == ["", ""]


def test_all_prize_places_count_when_there_are_several() -> None:
    rows = ((50, 50, 60), (30, 30, 55), (10, 20, 49), (5, 5, 29))
    assert compute_chances(*rows, prizes=2) == ["prize_safe", "", "", "prizes_gone"]
    assert compute_chances(*rows, prizes=3) == ["prize_safe", "prize_safe", "", ""]


def test_where_the_lowest_total_wins_the_comparison_is_reversed() -> None:
    assert compute_chances((9, 5, 4), (20, 12, 10), lowest_wins=True) == ["first_safe", "first_gone"]
    assert compute_chances((9, 5, 4), (20, 12, 9), lowest_wins=True) == ["", ""]


def test_a_single_holder_has_no_outlook() -> None:
    assert compute_chances((50, 50, 60)) == ["-"]


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TOTALS, min_size=2, max_size=6), st.integers(1, 3), st.data())
def test_no_possible_ending_contradicts_the_outlook(totals: list[list[int]], prizes: int, data: st.DataObject) -> None:
    ranges = [ScoreRange(UUID(int=number), now, best, worst) for number, (worst, now, best) in enumerate(totals)]
    outlooks = compute_outlooks(ranges, prizes)
    ends = [data.draw(st.integers(score.worst, score.best)) for score in ranges]

    for score, end in zip(ranges, ends, strict=True):
        others = [other for other, holder in zip(ends, ranges, strict=True) if holder != score]
        above, not_below = sum(other > end for other in others), sum(other >= end for other in others)
        outlook = outlooks[score.holder_id]
        assert outlook.chance != "first_safe" or not_below == 0
        assert outlook.chance != "prize_safe" or not_below < prizes
        assert outlook.chance not in ("first_gone", "prizes_gone") or above >= prizes
        assert outlook.can_lead or above > 0
        assert max(others) <= outlook.ceiling
        assert max(others) >= outlook.guaranteed


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(TOTALS, min_size=2, max_size=6), st.integers(1, 3))
def test_an_undecided_place_can_still_go_either_way(totals: list[list[int]], prizes: int) -> None:
    ranges = [ScoreRange(UUID(int=number), now, best, worst) for number, (worst, now, best) in enumerate(totals)]
    for score in ranges:
        outlook = compute_outlooks(ranges, prizes)[score.holder_id]
        others = [other for other in ranges if other != score]
        if outlook.chance not in ("first_safe", "prize_safe"):
            assert sum(other.best >= score.worst for other in others) >= prizes
        if outlook.chance not in ("first_gone", "prizes_gone"):
            assert sum(other.worst > score.best for other in others) < prizes


def finish_card(add_turn, number: int, *points: int) -> None:
    """Record the rest of a card: fives, sixes, fours, threes, in this order, at the stops after the first."""
    for slot, (box, scored) in enumerate(zip(("fives", "sixes", "fours", "threes"), points, strict=False), 2):
        add_turn(number, slot, make_paper_turn(box, scored))


def get_bike_page_text(ride: Ride, number: int) -> str:
    address = reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[number].pk])
    return get_visible_text(Client().get(address))


def get_board_text(ride: Ride) -> str:
    return get_visible_text(Client().get(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])))


def test_the_bikes_page_says_what_it_can_reach_and_what_it_takes_to_lead(
    ride: Ride, add_turn, update_standings
) -> None:
    """ROCK-2, ROCK-14: with 20 in chance four turns are left: 50, 50, 100 and 40."""
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    update_standings()

    assert "Best possible total: 260. Worst possible total: 20." in get_bike_page_text(ride, 1)
    assert "It takes a total better than 24 to lead alone." in get_bike_page_text(ride, 1)
    assert "In the lead. Nobody else can reach a total better than 260." in get_bike_page_text(ride, 2)
    assert "What is still possible" not in get_bike_page_text(ride, 3)
    assert "Can no longer win" not in get_board_text(ride)


def test_decided_places_are_explained_on_the_leaderboard_and_on_the_bikes_page(
    ride: Ride, add_turn, update_standings
) -> None:
    for number, points in ((1, (25, 30, 20, 15)), (2, (5, 6, 4, 3))):
        add_turn(number, 1, make_paper_turn("chance", 20))
        finish_card(add_turn, number, *points)
    update_standings()

    board = get_board_text(ride)
    assert "Nobody who has started can catch up" in board
    assert "Can no longer win" in board
    assert "Nobody who has started can catch up: the best that anyone else can reach is 38." in get_bike_page_text(
        ride, 1
    )
    assert "First place is out of reach: someone else is certain of 145." in get_bike_page_text(ride, 2)
    assert "Best possible" not in get_bike_page_text(ride, 2)


def test_a_retired_bike_wins_nothing_and_blocks_nobody(ride: Ride, add_turn, update_standings) -> None:
    """TABLE-3"""
    for number in (1, 2, 3):
        add_turn(number, 1, make_paper_turn("chance", 20 + number))
    finish_card(add_turn, 3, 25, 30)
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[3].pk, "flat tyre")
    update_standings()

    assert get_outlook(ride.contest, ride.bikes[3].pk) is None
    outlook = get_outlook(ride.contest, ride.bikes[1].pk)
    assert outlook is not None
    assert (outlook.to_beat, outlook.chance) == (22, "")


def test_a_closed_contest_has_no_outlooks(ride: Ride, add_turn, update_standings, close) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    close()
    update_standings()

    assert "What is still possible" not in get_bike_page_text(ride, 1)
    ride.contest.refresh_from_db()
    assert [row.outlook for row in get_live_leaderboard(ride.contest).rows if row.is_ranked] == [None, None]


def test_there_are_no_outlooks_while_a_range_is_unknown(ride: Ride, add_turn, update_standings) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    update_standings()
    StandingsRow.objects.filter(bike=ride.bikes[1]).update(best_total=None)

    assert get_outlook(ride.contest, ride.bikes[2].pk) is None


def test_an_outlook_takes_a_single_statement(ride: Ride, add_turn, update_standings) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    update_standings()

    with CaptureQueriesContext(connection) as queries:
        assert get_outlook(ride.contest, ride.bikes[1].pk) is not None
    assert len(queries) == 1

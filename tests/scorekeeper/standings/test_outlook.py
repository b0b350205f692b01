"""Outlooks: their computation, and their texts on the pages of the ride."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.common.game_adapter import get_game
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.models import StandingsRow
from scorekeeper.standings.outlook import ScoreRange, compute_outlooks
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.outlooks import get_outlook
from scorekeeper.standings.wording import explain_outlook
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

CONTESTS: tuple[dict[str, bool], ...] = (
    {},
    {"lowest_wins": True},
    {"lowest_wins": True, "finished_first": True},
    {"finished_first": True},
)


@st.composite
def score_ranges(draw: st.DrawFn, lowest_wins: bool = False) -> ScoreRange:
    """Return a range in which the total lies, without its id; that of an entrant who is done is just the total."""
    worst, now, best = draw(st.tuples(*[st.integers(0, 9)] * 3).map(sorted))
    if draw(st.booleans()):
        return ScoreRange(UUID(int=0), now, now, now, is_done=True)
    if lowest_wins:
        worst, best = best, worst
    no_best, no_worst = draw(st.booleans()), draw(st.booleans())
    return ScoreRange(UUID(int=0), now, None if no_best else best, None if no_worst else worst, is_done=False)


def draw_ranges(data: st.DataObject, lowest_wins: bool) -> list[ScoreRange]:
    drawn = data.draw(st.lists(score_ranges(lowest_wins), min_size=2, max_size=6))
    return [score._replace(entrant_id=UUID(int=number)) for number, score in enumerate(drawn)]


def compute_chances(*totals: tuple[int | None, int, int | None], prizes: int = 1, **contest: bool) -> list[str]:
    """Return the chances of entrants with these worst, present and best totals; equal ones are of one who is done."""
    ranges = [
        ScoreRange(UUID(int=n), now, best, worst, is_done=worst == best and best is not None)
        for n, (worst, now, best) in enumerate(totals)
    ]
    found = compute_outlooks(ranges, prizes, **contest)
    return [found[score.entrant_id].chance if found else "-" for score in ranges]


def test_the_first_place_is_safe_when_nobody_else_can_even_tie() -> None:
    assert compute_chances((50, 50, 50), (10, 20, 49)) == ["first_safe", "first_gone"]
    assert compute_chances((50, 50, 50), (10, 20, 50)) == ["", ""]


def test_nobody_has_lost_while_those_ahead_may_still_retire() -> None:
    """TABLE-3"""
    assert compute_chances((50, 50, 60), (10, 20, 49)) == ["first_safe", ""]
    assert compute_chances((50, 50, 60), (50, 50, 50), (10, 20, 49)) == ["", "", "first_gone"]


def test_all_prize_places_count_when_there_are_several() -> None:
    rows = ((50, 50, 50), (30, 30, 55), (30, 30, 30), (10, 20, 49), (5, 5, 29))
    assert compute_chances(*rows, prizes=2) == ["prize_safe", "", "", "", "prizes_gone"]
    assert compute_chances(*rows, prizes=4) == ["prize_safe", "prize_safe", "prize_safe", "", ""]


def test_where_the_lowest_total_wins_the_comparison_is_reversed() -> None:
    assert compute_chances((5, 5, 5), (20, 12, 6), lowest_wins=True) == ["first_safe", "first_gone"]
    assert compute_chances((5, 5, 5), (20, 12, 5), lowest_wins=True) == ["", ""]


def test_nothing_is_decided_against_somebody_without_a_limit() -> None:
    assert compute_chances((50, 50, 50), (10, 20, None)) == ["", ""]
    assert compute_chances((50, 50, 50), (10, 20, None), (10, 20, 49)) == ["", "", "first_gone"]
    assert compute_chances((None, 50, 60), (10, 20, 30)) == ["", ""]


def test_where_finished_games_rank_first_nobody_is_safe_before_the_end() -> None:
    contest = {"lowest_wins": True, "finished_first": True}
    assert compute_chances((9, 0, 4), (30, 0, 10), **contest) == ["", ""]
    assert compute_chances((9, 9, 9), (30, 0, 10), **contest) == ["first_safe", "first_gone"]


def test_only_totals_of_finished_games_are_compared_where_those_rank_first() -> None:
    ranges = [
        ScoreRange(UUID(int=1), 12, 12, 12, is_done=True),
        ScoreRange(UUID(int=2), 3, 3, 40, is_done=False),
        ScoreRange(UUID(int=3), 0, 0, 60, is_done=False),
    ]
    found = compute_outlooks(ranges, 1, lowest_wins=True, finished_first=True)
    assert [found[score.entrant_id].leads for score in ranges] == [True, False, False]
    assert [found[score.entrant_id].to_beat for score in ranges] == [None, 12, 12]


def test_a_place_that_can_only_be_shared_cannot_be_led_alone() -> None:
    ranges = [
        ScoreRange(UUID(int=1), 50, 50, 50, is_done=True),
        ScoreRange(UUID(int=2), 20, 50, 10, is_done=False),
        ScoreRange(UUID(int=3), 20, 51, 10, is_done=False),
    ]
    found = compute_outlooks(ranges, 1)
    assert [found[score.entrant_id].can_lead_alone for score in ranges] == [True, False, True]
    assert "First place can only be shared: someone else is certain of 50." in explain_outlook(
        get_game("rock-yahtzee"), found[ranges[1].entrant_id], 1
    )


def test_a_single_entrant_has_no_outlook() -> None:
    assert compute_chances((50, 50, 60)) == ["-"]


@pytest.mark.parametrize("contest", CONTESTS, ids=str)
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.integers(1, 3))
def test_no_possible_ending_contradicts_the_outlook(contest: dict[str, bool], data: st.DataObject, prizes: int) -> None:
    """TABLE-3: some finish, some are left unfinished with any total within their limits, and some may retire."""
    ranges = draw_ranges(data, contest.get("lowest_wins", False))
    outlooks = compute_outlooks(ranges, prizes, **contest)
    sign = -1 if contest.get("lowest_wins") else 1
    ends = [draw_end(data, score, sign, finished_first=contest.get("finished_first", False)) for score in ranges]

    for score, end in zip(ranges, ends, strict=True):
        others = [other for other, entrant in zip(ends, ranges, strict=True) if entrant != score]
        above, not_below = sum(other > end for other in others), sum(other >= end for other in others)
        outlook = outlooks[score.entrant_id]
        has_stayed = end[0] == 1
        assert outlook.chance != "first_safe" or not_below == 0 or not has_stayed
        assert outlook.chance != "prize_safe" or not_below < prizes or not has_stayed
        assert outlook.chance not in ("first_gone", "prizes_gone") or above >= prizes
        assert outlook.can_lead or above > 0
        assert outlook.can_lead_alone or not_below > 0
        totals = [total for stayed, finished, total in others if stayed and finished]
        assert outlook.ceiling is None or all(total <= sign * outlook.ceiling for total in totals)
        assert outlook.guaranteed is None or max(totals) >= sign * outlook.guaranteed


def draw_end(data: st.DataObject, score: ScoreRange, sign: int, *, finished_first: bool) -> tuple[int, int, int]:
    """Return a possible end: whether the entrant has stayed, has finished, and the total, of which larger is better."""
    if score.is_done:
        return 1, 1, sign * score.total
    low = -20 if score.worst is None else sign * score.worst
    high = 20 if score.best is None else sign * score.best
    total, stays, finishes = data.draw(st.integers(low, high)), data.draw(st.booleans()), data.draw(st.booleans())
    return int(stays), int(finishes or not finished_first), total


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.data(), st.integers(1, 3))
def test_an_undecided_place_can_still_go_either_way(data: st.DataObject, prizes: int) -> None:
    ranges = draw_ranges(data, lowest_wins=False)
    for score in ranges:
        outlook = compute_outlooks(ranges, prizes)[score.entrant_id]
        others = [other for other in ranges if other != score]
        if outlook.chance not in ("first_safe", "prize_safe"):
            worst = -20 if score.worst is None else score.worst
            assert sum(other.best is None or other.best >= worst for other in others) >= prizes
        if outlook.chance not in ("first_gone", "prizes_gone"):
            best = 20 if score.best is None else score.best
            assert sum(other.is_done and other.total > best for other in others) < prizes


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

    assert "At best: 260. At worst: 20." in get_bike_page_text(ride, 1)
    assert "To lead alone, it takes something better than 24." in get_bike_page_text(ride, 1)
    assert "In the lead. Nobody else can do better than 260." in get_bike_page_text(ride, 2)
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
    StandingsRow.objects.filter(bike=ride.bikes[1]).update(best_total=None, worst_total=None)

    assert get_outlook(ride.contest, ride.bikes[2].pk) is None


def test_an_outlook_takes_a_single_statement(ride: Ride, add_turn, update_standings) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    update_standings()

    with CaptureQueriesContext(connection) as queries:
        assert get_outlook(ride.contest, ride.bikes[1].pk) is not None
    assert len(queries) == 1

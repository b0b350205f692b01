"""Freezing the standings for the audience, revealing the result place by place, and lifting the freeze."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.audience.reveals import get_reveal
from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.audience.visible_standings import get_audience_view, get_event_standings, get_organiser_view
from scorekeeper.events.models import Contest, Freeze
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.standings.contest_report import CardReport
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.models import FrozenStandings
from scorekeeper.standings.reveal import count_steps, list_revealed_from, locate_step, merge_boards, merge_cards
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.database

AddTurn = Callable[..., Any]
Place = tuple[str, str, int, bool]


def list_places(board: Leaderboard) -> list[Place]:
    """Rank label, bike, total, and whether the place is withheld; without bikes that have not rolled."""
    return [(row.rank_label, row.number, row.total, row.is_withheld) for row in board.rows if row.is_ranked]


def list_public(ride: Ride) -> list[Place]:
    return list_places(get_audience_view(Contest.objects.get(pk=ride.contest.pk)).get_leaderboard())


@pytest.fixture
def frozen_ride(ride: Ride, add_turn: AddTurn) -> Ride:
    """Bikes 1 to 4 have 10, 15, 20 and 25 points when the standings are frozen; then the order is turned around."""
    for number in range(1, 5):
        add_turn(number, 1, make_paper_turn("chance", 5 + 5 * number))
    freeze_standings(ride.event)
    for number, points in ((1, 30), (2, 18), (3, 6)):
        add_turn(number, 2, make_paper_turn("sixes", points))
    return ride


FROZEN = [("1", "4", 25, False), ("2", "3", 20, False), ("3", "2", 15, False), ("4", "1", 10, False)]


def test_the_audience_sees_the_freeze_and_organisers_see_both(frozen_ride: Ride) -> None:
    assert list_public(frozen_ride) == FROZEN
    current = list_places(get_organiser_view(frozen_ride.contest).get_leaderboard())
    assert [number for _place, number, *_rest in current] == ["4", "3", "2", "1"], "the worker has not refreshed them"
    start_reveal(frozen_ride.event, [frozen_ride.contest])
    current = list_places(get_organiser_view(frozen_ride.contest).get_leaderboard())
    assert current == [("1", "1", 40, False), ("2", "2", 33, False), ("3", "3", 26, False), ("4", "4", 25, False)]


def test_a_freeze_includes_what_was_recorded_before_it_even_if_no_worker_runs(frozen_ride: Ride) -> None:
    """No test fixture has refreshed the standings."""
    assert get_event_standings(frozen_ride.event).first_places[frozen_ride.contest.pk].total == 25


def test_freezing_twice_keeps_the_first_moment(frozen_ride: Ride) -> None:
    before = Freeze.objects.get().at

    freeze_standings(frozen_ride.event)

    assert Freeze.objects.get().at == before
    assert list_public(frozen_ride) == FROZEN


def test_the_reveal_lifts_the_freeze_for_exactly_what_it_has_shown(frozen_ride: Ride) -> None:
    start_reveal(frozen_ride.event, [frozen_ride.contest])
    assert list_public(frozen_ride) == FROZEN

    reveal_to_step(frozen_ride.event, 1)
    assert list_public(frozen_ride) == [
        *[("2", "3", 20, True), ("3", "2", 15, True), ("4", "1", 10, True)],
        ("4", "4", 25, False),
    ]
    reveal_to_step(frozen_ride.event, 2)
    assert list_public(frozen_ride) == [
        *[("3", "2", 15, True), ("4", "1", 10, True)],
        *[("3", "3", 26, False), ("4", "4", 25, False)],
    ]
    view = get_audience_view(frozen_ride.contest)
    assert view.get_card(frozen_ride.bikes[3].pk, "3")[1].total == 26, "its card is announced with its place"
    assert view.get_card(frozen_ride.bikes[3].pk, "3")[0].frozen_at is None
    assert view.get_card(frozen_ride.bikes[1].pk, "1")[1].total == 10
    assert view.get_card(frozen_ride.bikes[1].pk, "1")[0].frozen_at is not None
    assert {card.number: card.total for card in view.get_report()[1].cards} == {"1": 10, "2": 15, "3": 26, "4": 25}
    assert get_event_standings(frozen_ride.event).first_places == {}, "the leader of the freeze has another place now"

    reveal_to_step(frozen_ride.event, 1)
    assert ("3", "3", 26, False) not in list_public(frozen_ride), "going back takes it back"

    reveal_to_step(frozen_ride.event, 4)
    board = get_audience_view(frozen_ride.contest).get_leaderboard()
    assert list_places(board)[0] == ("1", "1", 40, False)
    assert board.frozen_at is None
    assert get_event_standings(frozen_ride.event).first_places[frozen_ride.contest.pk].total == 40


def test_what_is_recorded_during_the_reveal_stays_out_until_the_freeze_is_lifted(
    frozen_ride: Ride, add_turn: AddTurn, update_standings: Callable[[], bool]
) -> None:
    start_reveal(frozen_ride.event, [frozen_ride.contest])
    add_turn(4, 2, make_paper_turn("sixes", 30))
    update_standings()
    reveal_to_step(frozen_ride.event, 99)
    assert list_public(frozen_ride)[-1] == ("4", "4", 25, False)

    lift_freeze(frozen_ride.event)

    assert list_public(frozen_ride)[0] == ("1", "4", 55, False)
    assert not FrozenStandings.objects.exists()
    assert get_reveal(frozen_ride.event) is None


def test_a_reveal_without_a_freeze_shows_nothing_newer_than_its_beginning(
    ride: Ride, add_turn: AddTurn, update_standings: Callable[[], bool]
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 10))
    start_reveal(ride.event, [ride.contest])
    add_turn(1, 2, make_paper_turn("sixes", 30))
    update_standings()

    assert list_public(ride) == [("1", "1", 10, False)]
    start_reveal(ride.event, [ride.contest])
    assert list_public(ride) == [("1", "1", 10, False)], "starting twice is starting once"


def test_a_contest_that_is_not_revealed_stays_frozen(frozen_ride: Ride) -> None:
    start_reveal(frozen_ride.event, [])
    reveal_to_step(frozen_ride.event, 99)

    assert list_public(frozen_ride) == FROZEN
    assert get_reveal(frozen_ride.event) is not None


def test_a_contest_that_is_added_after_the_freeze_is_empty_until_it_is_revealed(frozen_ride: Ride) -> None:
    late = Contest.objects.create(
        event=frozen_ride.event, name="Late run", slug="late", ordinal=2, game_key="rogue", rules_version=1
    )
    assert get_audience_view(late).get_leaderboard().rows == ()
    assert get_audience_view(late).get_report()[1].cards == ()

    start_reveal(frozen_ride.event, [late])

    assert get_audience_view(late).get_leaderboard().rows == ()


def test_nothing_is_said_about_what_can_still_be_reached(frozen_ride: Ride) -> None:
    view = get_audience_view(frozen_ride.contest)

    assert view.get_outlook(frozen_ride.bikes[1].pk) is None
    assert not any(row.outlook or row.chance for row in view.get_leaderboard().rows)
    assert get_organiser_view(frozen_ride.contest).get_outlook(frozen_ride.bikes[1].pk) is not None


def test_a_bike_that_was_merged_after_the_freeze_keeps_its_row(frozen_ride: Ride, desk) -> None:
    merge_bikes(desk, uuid4(), frozen_ride.bikes[5].pk, frozen_ride.bikes[4].pk, "the same bike")

    assert list_public(frozen_ride) == FROZEN


def test_a_page_that_is_being_read_while_the_freeze_is_lifted_does_not_fail(frozen_ride: Ride) -> None:
    view = get_audience_view(frozen_ride.contest)
    lift_freeze(frozen_ride.event)

    assert list_places(view.get_leaderboard()) == FROZEN
    assert view.get_card(frozen_ride.bikes[1].pk, "1")[1].turns == ()
    assert view.get_report()[1].cards == ()


def test_revealing_and_lifting_do_nothing_without_a_freeze(ride: Ride) -> None:
    reveal_to_step(ride.event, 3)
    lift_freeze(ride.event)

    assert get_reveal(ride.event) is None
    assert Freeze.objects.get().at is None


def make_board(totals: dict[int, int]) -> Leaderboard:
    """A leaderboard of entrants with these totals, by number; a total of 0 has not started."""
    started = sorted((total for total in totals.values() if total), reverse=True)
    rows = [
        LeaderboardRow(
            UUID(int=number), str(number), started.index(total) + 1, started.count(total) > 1, total, 1, "", None
        )
        if total
        else LeaderboardRow.unranked(UUID(int=number), str(number), "playing")
        for number, total in sorted(totals.items(), key=lambda item: -item[1])
    ]
    return Leaderboard(tuple(rows), "open", 5)


TOTALS = st.dictionaries(st.integers(1, 30), st.integers(0, 12), max_size=25)


@given(TOTALS, TOTALS, TOTALS, st.integers(0, 60))
def test_a_row_is_from_the_result_exactly_when_it_was_shown(
    before: dict[int, int], first: dict[int, int], second: dict[int, int], step: int
) -> None:
    """Compared with a plain reading of the steps: everything that any step up to this one has shown is announced."""
    results = [make_board(first), make_board({number: total * 100 for number, total in second.items()})]
    frozen = make_board({number: total * 10_000 for number, total in before.items()})
    step = min(step, count_steps(results))
    shown: list[set[UUID]] = [set(), set()]
    for earlier in range(step + 1):
        position, rows = locate_step(results, earlier)
        shown[position] |= {row.entrant_id for row in rows}

    for position, revealed_from in enumerate(list_revealed_from(results, step)):
        merged = merge_boards(frozen, results[position], revealed_from)
        by_result = {row.entrant_id: row for row in results[position].rows}
        by_freeze = {row.entrant_id: row for row in frozen.rows}
        is_over = bool(results[position].rows) and all(
            row.entrant_id in shown[position] for row in results[position].rows if row.is_ranked
        )
        has_begun = bool(shown[position])
        for row in merged.rows:
            if row.entrant_id in shown[position]:
                assert row == by_result[row.entrant_id]
            elif not (is_over and (has_begun or revealed_from)):
                assert (row.total, row.rank) == (by_freeze[row.entrant_id].total, by_freeze[row.entrant_id].rank)
        assert len({row.entrant_id for row in merged.rows}) == len(merged.rows), "nobody is listed twice"
        assert shown[position] <= {row.entrant_id for row in merged.rows}


def make_card(card: int, entrant: int, total: int) -> CardReport:
    return CardReport(UUID(int=card), UUID(int=entrant), str(entrant), total, (), (), card)


def test_a_table_is_announced_once_everyone_at_it_is() -> None:
    frozen = [make_card(1, 1, 10), make_card(1, 2, 20)]
    result = [make_card(1, 1, 30), make_card(1, 2, 40), make_card(2, 1, 50)]

    def list_totals(*announced: int) -> list[int]:
        return [card.total for card in merge_cards(frozen, result, {UUID(int=number) for number in announced})]

    assert list_totals() == [10, 20]
    assert list_totals(1) == [10, 20, 50]
    assert list_totals(1, 2) == [30, 40, 50]

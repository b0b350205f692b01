"""How far a row of a leaderboard is from the next better place, in every kind of ranking."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from scorekeeper.audience.leaderboard_presenter import get_leaderboard_presenter
from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride, change_game
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn
from tests.scorekeeper.sheet_rides import add_poker_run, draw

pytestmark = pytest.mark.database


def list_gaps(contest: Contest) -> dict[str, str]:
    """Return the sentence of each row that has one, by the number or name."""
    contest = Contest.objects.select_related("event").get(pk=contest.pk)
    presenter = get_leaderboard_presenter(contest)
    return {
        row.row.number or row.people: presenter.gaps[row.row.entrant_id]
        for row in presenter.rows
        if row.row.entrant_id in presenter.gaps
    }


@pytest.fixture
def scored(add_turn, update_standings) -> None:
    """Bike 1 has 30, bikes 2 and 3 have 24, bike 4 has 23, and the others have not rolled."""
    for number, points in ((1, 30), (2, 24), (3, 24), (4, 23)):
        add_turn(number, 1, make_paper_turn("chance", points))
    update_standings()


@pytest.mark.usefixtures("scored")
def test_it_counts_the_points_to_the_next_better_place_over_ties(ride: Ride) -> None:
    assert list_gaps(ride.contest) == {
        "2": "6 points to 1st place",
        "3": "6 points to 1st place",
        "4": "1 point to 2nd place",
    }


@pytest.mark.usefixtures("tied_bikes")
def test_bikes_whose_tie_was_cut_have_the_same_total(ride: Ride, close, cut, update_standings) -> None:
    close()
    update_standings()
    cut({1: "QS", 2: "KH", 3: "2D"})
    update_standings()

    assert list_gaps(ride.contest) == {
        "1": "Same total as 1st place",
        "3": "Same total as 2nd place",
        "4": "4 points to 3rd place",
    }


@pytest.mark.usefixtures("scored")
def test_a_bike_that_has_retired_is_compared_with_nobody(ride: Ride, desk, update_standings) -> None:
    retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[2].pk, "engine")
    update_standings()

    gaps = list_gaps(ride.contest)

    assert gaps == {"3": "6 points to 1st place", "4": "1 point to 2nd place"}


@pytest.mark.usefixtures("scored")
def test_a_freeze_counts_from_its_own_rows_and_a_reveal_says_nothing_until_it_is_over(
    ride: Ride, desk, add_turn, close, update_standings
) -> None:
    freeze_standings(ride.event)
    frozen = list_gaps(ride.contest)
    assert frozen["4"] == "1 point to 2nd place"
    add_turn(4, 2, make_paper_turn("sixes", 24))
    update_standings()
    assert list_gaps(ride.contest) == frozen
    close()
    update_standings()
    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 1)
    assert list_gaps(ride.contest) == {}, "beside announced places, frozen totals mean nothing"
    lift_freeze(ride.event)
    publish_contest(desk, uuid4(), ride.contest.pk, "revealed")
    assert list_gaps(ride.contest)["1"] == "17 points to 1st place"


def change_to_dice_run(ride: Ride, **options: Any) -> None:
    change_game(ride.contest, "dice-run", **options)
    clear_contest_rules_cache()


def add_throws(ride: Ride, add_turn, totals: dict[int, list[int]]) -> None:
    for number, thrown in totals.items():
        for ordinal, total in enumerate(thrown, 1):
            add_turn(number, ordinal, [{"type": "paper", "total": total}])


def test_where_the_lowest_wins_it_is_the_other_way_round_among_those_who_have_finished(
    ride: Ride, add_turn, update_standings
) -> None:
    change_to_dice_run(ride, goal="low")
    add_throws(ride, add_turn, {1: [10] * 5, 2: [11] * 5, 3: [5]})
    update_standings()

    assert list_gaps(ride.contest) == {"2": "1st place has 5 points less"}


def test_where_the_closest_to_a_target_wins_the_distance_counts(ride: Ride, add_turn, update_standings) -> None:
    change_to_dice_run(ride, goal="target", target=88)
    add_throws(ride, add_turn, {1: [18, 18, 18, 17, 17], 2: [18, 18, 18, 18, 20], 3: [18] * 4 + [15]})
    update_standings()

    assert list_gaps(ride.contest) == {
        "3": "1st place is 1 point closer to the target",
        "2": "2nd place is 3 points closer to the target",
    }


def test_hands_of_cards_have_no_points_between_them(ride: Ride) -> None:
    contest, rita = add_poker_run(ride), make_actor(ride.rita)
    for number, card in ((1, "AS"), (2, "KS")):
        draw(contest, rita, ride.bikes[number], 1, card)

    assert list_gaps(contest) == {}


@pytest.mark.usefixtures("rogue_tables")
def test_at_tables_points_are_compared_with_whoever_leads(rogue_contest: Contest) -> None:
    gaps = list_gaps(rogue_contest)

    assert gaps
    assert all(" to " in gap and gap.endswith(" place") for gap in gaps.values())


@pytest.mark.usefixtures("drag_tables")
def test_what_is_not_counted_in_points_is_named(drag_contest: Contest) -> None:
    """Ann has won her heats against Ben; Cleo has won hers against Ann."""
    gaps = list_gaps(drag_contest)

    assert all(gap.startswith(("Races won: ", "Same total as ")) for gap in gaps.values()), gaps
    assert gaps


@pytest.mark.usefixtures("scored")
def test_a_streamed_row_has_the_place_and_the_gap_and_the_page_has_no_byte_more(ride: Ride) -> None:
    presenter = get_leaderboard_presenter(Contest.objects.select_related("event").get(pk=ride.contest.pk))

    plain = {row.row.number: html for row, html in zip(presenter.rows, presenter.rows_html, strict=True)}
    streamed = {row.row.number: html for row, html in zip(presenter.rows, presenter.stream_rows_html, strict=True)}

    assert "data-gap" not in "".join(plain.values())
    assert 'data-nth="4th" data-gap="1 point to 2nd place"' in streamed["4"]
    assert 'data-nth="" data-gap=""' in streamed["8"]
    assert Bike.objects.count() == len(streamed)

"""Seating plans for many tables at once: properties for any number of people."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.tables.seating_plan import (
    Grouping,
    SeatLimits,
    count_cards,
    count_round_robin_players,
    make_seating_plan,
)

SOLO, OPEN, DUEL = SeatLimits(1, 1, False), SeatLimits(2, None, False), SeatLimits(2, 2, True)

people = st.integers(0, 70).map(range)
limits = st.integers(1, 5).flatmap(
    lambda low: st.builds(SeatLimits, st.just(low), st.none() | st.integers(low, low + 4), st.just(False))
)


@given(people)
def test_alone_everyone_gets_a_table_in_order(who: range) -> None:
    plan = make_seating_plan("alone", who, SOLO)

    assert list(plan.tables) == [(one,) for one in who]
    assert plan.left_over == ()


@given(people, limits, st.integers(2, 8))
def test_tables_respect_the_games_limits_and_omit_nobody(who: range, limits: SeatLimits, size: int) -> None:
    plan = make_seating_plan("tables", who, limits, size)

    assert [*(one for seats in plan.tables for one in seats), *plan.left_over] == list(who)
    assert all(limits.low <= len(seats) <= (limits.high or len(who)) for seats in plan.tables)


@given(people, limits, st.integers(2, 8))
def test_tables_are_as_even_as_possible(who: range, limits: SeatLimits, size: int) -> None:
    sizes = [len(seats) for seats in make_seating_plan("tables", who, limits, size).tables]

    assert not sizes or max(sizes) - min(sizes) <= 1


@given(people, st.integers(2, 8))
def test_without_a_maximum_nobody_is_left_over_and_tables_exceed_their_size_only_to_reach_the_minimum(
    who: range, size: int
) -> None:
    plan = make_seating_plan("tables", who, OPEN, size)

    assert len(plan.left_over) == (1 if len(who) == 1 else 0)
    oversize = [seats for seats in plan.tables if len(seats) > size]
    assert not oversize or len(who) < OPEN.low * (len(plan.tables) + 1)


@pytest.mark.parametrize(
    ("count", "size", "sizes"),
    [(8, 4, [4, 4]), (9, 4, [3, 3, 3]), (10, 4, [4, 3, 3]), (5, 2, [3, 2]), (3, 8, [3]), (1, 4, [])],
)
def test_examples_of_table_sizes(count: int, size: int, sizes: list[int]) -> None:
    assert [len(seats) for seats in make_seating_plan("tables", range(count), OPEN, size).tables] == sizes


@given(people)
def test_pairs_are_neighbours_and_an_odd_one_is_left_over(who: range) -> None:
    plan = make_seating_plan("pairs", who, DUEL)

    assert list(plan.tables) == [(one, one + 1) for one in who[: len(who) // 2 * 2 : 2]]
    assert plan.left_over == tuple(who[len(who) // 2 * 2 :])


@given(people)
def test_everyone_meets_everyone_once(who: range) -> None:
    met = Counter(frozenset(seats) for seats in make_seating_plan("everybody", who, DUEL).tables)

    assert met == Counter(frozenset(pair) for pair in combinations(who, 2))


@given(people)
def test_nobody_plays_twice_in_a_round(who: range) -> None:
    tables = make_seating_plan("everybody", who, DUEL).tables
    at_once = len(who) // 2

    for start in range(0, len(tables), at_once or 1):
        seated = [one for seats in tables[start : start + at_once] for one in seats]
        assert len(set(seated)) == len(seated)


@given(people)
def test_everyone_has_the_first_seat_equally_often(who: range) -> None:
    first = Counter(seats[0] for seats in make_seating_plan("everybody", who, DUEL).tables)
    often = [first[one] for one in who]

    assert not often or max(often) - min(often) <= 1


@given(people, st.sampled_from(["alone", "tables", "pairs", "everybody"]), st.integers(2, 8))
def test_count_cards_matches_the_plan(who: range, way: Grouping, size: int) -> None:
    assert count_cards(way, len(who), DUEL, size) == len(make_seating_plan(way, who, DUEL, size).tables)


@given(st.integers(0, 100_000))
def test_the_round_robin_player_count_is_the_largest_that_fits(cards: int) -> None:
    most = count_round_robin_players(cards)

    assert count_cards("everybody", most, DUEL) <= cards < count_cards("everybody", most + 1, DUEL)


def test_groupings_that_fit_a_game() -> None:
    assert SOLO.groupings == ("alone",)
    assert OPEN.groupings == ("tables",)
    assert DUEL.groupings == ("everybody", "pairs")
    assert SeatLimits(2, 2, False).groupings == ("pairs",)

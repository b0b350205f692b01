"""Many heats at random, each moment held to a second reading of the rule book.

2,000 heats are driven every time. For more, say how many in the environment:

    DRAG_RAGE_HEATS=100000 pytest tests/games/drag_rage/test_random_walk.py
"""

from __future__ import annotations

import os
from itertools import chain
from random import Random

import pytest

from games.drag_rage import GAME
from games.drag_rage.state import COUNTERS, FinishedHeat, Heat, is_blown
from tests.games.drag_rage.random_races import Step, drive
from tests.games.drag_rage.reference_rules import DEAD_HEAT, ENDINGS, ReferenceHeat, list_endings

HEATS = int(os.environ.get("DRAG_RAGE_HEATS", "2000"))
LONGEST_HEAT = 1 + 11 * 4  # actions: the start, and eleven moves, each with a challenge, a roll and a pass

# Many heats take longer than a test usually may.
pytestmark = pytest.mark.timeout(300 + HEATS // 50)


def hold_to_the_reading(step: Step) -> ReferenceHeat:
    """Hold a moment to the second reading of its heat, and return that."""
    now = ReferenceHeat(step.heat)
    endings = set(list_endings(now).values())
    assert len(endings) <= 1, step
    if step.after.heat is not None:
        assert not endings, step
        hold_running(step.after.heat, now)
        assert GAME.to_act(step.after) == now.to_act
    else:
        assert endings, step
        finished = step.after.heats[-1]
        hold_finished(finished, now)
        assert {DEAD_HEAT if finished.winner is None else finished.winner} == endings, step
        assert GAME.to_act(step.after) is None
    return now


def hold_running(heat: Heat, now: ReferenceHeat) -> None:
    assert [car.space for car in heat.cars] == now.places
    assert [car.played for car in heat.cars] == [len(played) for played in now.played]
    assert [car.has_nitro for car in heat.cars] == [used == 0 for used in now.nitro_used]
    assert heat.unused == now.unused


def hold_finished(heat: FinishedHeat, now: ReferenceHeat) -> None:
    assert list(heat.spaces) == now.places
    assert list(heat.counters) == [len(played) for played in now.played]


def hold_to_what_always_holds(step: Step, now: ReferenceHeat) -> None:
    """A counter is used once, the nitro die too, a car is on its way or home, and only the seat to act has a choice."""
    all_played = list(chain(*now.played))
    assert len(set(all_played)) == len(all_played)
    assert set(all_played) <= set(COUNTERS)
    assert all(1 <= place <= 22 + 12 for place in now.places)
    assert all(used <= 1 for used in now.nitro_used)
    assert len(step.heat) <= LONGEST_HEAT
    assert {spec.seat for spec in step.offered} == {GAME.to_act(step.before)}
    assert_no_engine_is_blown_by_its_own_move(step, now)
    winners = [heat.winner for heat in step.after.heats]
    assert step.after.won == (winners.count(0), winners.count(1))


def assert_no_engine_is_blown_by_its_own_move(step: Step, now: ReferenceHeat) -> None:
    last = step.heat[-1]
    if last["type"] == "advance":
        assert step.before.heat is not None
        seat = last["seat"]
        was_blown = is_blown(step.before.heat.cars[seat], step.before.heat.unused)
        assert now.is_blown(seat) is was_blown


def test_heats_at_random_go_and_end_as_a_second_reading_of_the_rule_book_says() -> None:
    """DRAG-2, DRAG-9, DRAG-10, DRAG-11, DRAG-12, DRAG-14, DRAG-15, DRAG-23, DRAG-24, DRAG-25, DRAG-27

    And every kind of end that the clauses name comes up.
    """
    random = Random(26)
    seen: set[str] = set()
    heats = 0
    while heats < HEATS:
        for step in drive(random):
            now = hold_to_the_reading(step)
            hold_to_what_always_holds(step, now)
            seen |= list_endings(now).keys()
        heats += len(step.after.heats)
        assert 2 in step.after.won
    assert seen == {ending.__name__ for ending in ENDINGS}

"""Many random heats, each moment checked against an independent implementation of the rule book.

A short run drives 1,000 heats, a full one 2,000. Set another number in the environment:

    DRAG_RAGE_HEATS=100000 pytest tests/games/drag_rage/test_random_walk.py
"""

from __future__ import annotations

import os
from itertools import chain
from random import Random

import pytest

from games.drag_rage import GAME
from games.drag_rage.state import COUNTERS, FinishedHeat, Heat, is_blown
from tests.faults.scale import scaled
from tests.games.drag_rage.random_races import Step, drive
from tests.games.drag_rage.reference_rules import DEAD_HEAT, ENDINGS, ReferenceHeat, list_endings

HEATS = int(os.environ.get("DRAG_RAGE_HEATS", scaled(2000, 1000)))
LONGEST_HEAT = 1 + 11 * 4  # actions: the start, and eleven moves, each with a challenge, a roll and a pass

# Many heats take longer than the usual time limit of a test.
pytestmark = pytest.mark.timeout(300 + HEATS // 50)


def check_against_reference(step: Step) -> ReferenceHeat:
    """Check a moment against the reference heat, and return that."""
    now = ReferenceHeat(step.heat)
    endings = set(list_endings(now).values())
    assert len(endings) <= 1, step
    if step.after.heat is not None:
        assert not endings, step
        check_running(step.after.heat, now)
        assert GAME.to_act(step.after) == now.to_act
    else:
        assert endings, step
        finished = step.after.heats[-1]
        check_finished(finished, now)
        assert {DEAD_HEAT if finished.winner is None else finished.winner} == endings, step
        assert GAME.to_act(step.after) is None
    return now


def check_running(heat: Heat, now: ReferenceHeat) -> None:
    assert [car.space for car in heat.cars] == now.places
    assert [car.played for car in heat.cars] == [len(played) for played in now.played]
    assert [car.has_nitro for car in heat.cars] == [used == 0 for used in now.nitro_used]
    assert heat.unused == now.unused


def check_finished(heat: FinishedHeat, now: ReferenceHeat) -> None:
    assert list(heat.spaces) == now.places
    assert list(heat.counters) == [len(played) for played in now.played]


def check_invariants(step: Step, now: ReferenceHeat) -> None:
    """Check that counters and nitro dice are used once, cars are racing or have crossed, and one seat can act."""
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


@pytest.mark.slow
def test_random_heats_match_the_reference_rules() -> None:
    """DRAG-2, DRAG-9, DRAG-10, DRAG-11, DRAG-12, DRAG-14, DRAG-15, DRAG-23, DRAG-24, DRAG-25, DRAG-27

    Every kind of ending that the clauses name occurs.
    """
    random = Random(26)
    seen: set[str] = set()
    heats = 0
    while heats < HEATS:
        for step in drive(random):
            now = check_against_reference(step)
            check_invariants(step, now)
            seen |= list_endings(now).keys()
        heats += len(step.after.heats)
        assert 2 in step.after.won
    assert seen == {ending.__name__ for ending in ENDINGS}

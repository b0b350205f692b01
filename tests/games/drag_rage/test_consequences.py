"""The consequences of actions in Drag Rage."""

from __future__ import annotations

from random import Random

from games.drag_rage import GAME
from tests.games.consequence_texts import NAMES, get_last_consequences
from tests.games.drag_rage.random_races import drive
from tests.games.drag_rage.table import (
    BLOWN,
    BROKEN,
    CROSSED,
    LAST_COUNTER,
    Action,
    challenge,
    decline,
    lose_challenge,
    move,
    roll,
    start,
    win_quickly,
)


def describe(*actions: Action) -> list[str]:
    return get_last_consequences(GAME.ruleset(), 2, actions)


def test_a_challenge_says_whether_it_succeeds() -> None:
    challenged = [start(), move(0, 12), challenge(1)]
    assert describe(start(), *lose_challenge(0, 12)) == ["3 is below 12: Ann spins out, back to space 1. (DRAG-6)"]
    assert describe(*challenged, roll(0, 6, 6)) == ["12 is not below 12: the challenge fails. (DRAG-7)"]


def test_a_crossing_that_does_not_end_the_heat_is_described() -> None:
    assert describe(*CROSSED) == ["Ann crosses the line. Counters played: 3. (DRAG-12)"]


def test_a_broken_chute_and_the_warning_before_it_are_described() -> None:
    assert "Space 28 is beyond 26: Ann has a broken ’chute. (DRAG-13)" in describe(*BROKEN)
    assert "Every counter left would give Ann a broken ’chute: 6, 8, 9, 10, 11. (DRAG-13)" in describe(*BROKEN[:-1])


def test_a_blown_engine_is_described() -> None:
    assert describe(*BLOWN) == ["There are not enough counters left for Ben to reach the line: blown engine. (DRAG-15)"]


def test_the_reason_why_a_heat_is_won_is_described() -> None:
    won = "Ann wins the heat: Ben has played at least as many counters and has not crossed. (DRAG-12)"
    assert describe(*win_quickly(0)) == [won]
    assert describe(*win_quickly(0), *win_quickly(0)) == [won, "Ann has won two heats and the race. (DRAG-16)"]
    assert describe(*LAST_COUNTER, decline(1)) == ["Ann wins the heat: Ben has no counters left and passes. (DRAG-27)"]
    assert describe(*CROSSED, move(1, 7)) == [
        "Ben wins the heat: same number of counters, but closer to space 23. (DRAG-11)"
    ]
    assert describe(*CROSSED, move(1, 8)) == [
        "Same number of counters and same space: a dead heat. Run it again. (DRAG-11)"
    ]


def test_every_heat_that_ends_says_why() -> None:
    random = Random(5)
    ends = set()
    for _ in range(40):
        for step in drive(random):
            if len(step.after.heats) > len(step.before.heats):
                action = GAME.ruleset().read_action(step.heat[-1], 2)
                told = GAME.consequences(step.before, action, step.after)
                winner = step.after.heats[-1].winner
                sentences = " ".join(one.fill(NAMES) for one in told)
                assert ("Run it again" if winner is None else f"{NAMES[winner]} wins the heat") in sentences
                ends |= {one.rule for one in told}
    assert {"DRAG-10", "DRAG-11", "DRAG-12", "DRAG-14", "DRAG-15"} <= ends

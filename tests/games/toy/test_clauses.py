"""The rule book, clause by clause. The docstring of a test names the clauses that it shows."""

from __future__ import annotations

from typing import Any

from games.core.problems import Problem
from games.core.replay import replay
from tests.games.toy import GAME

BANK = {"type": "bank"}
TWICE = {"type": "bank", "double": True}


def throw(*dice: int) -> dict[str, Any]:
    return {"type": "throw", "dice": list(dice)}


def play(*actions: dict[str, Any], seats: int = 1, **options: Any) -> Any:
    """Return the state after actions that must all be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.failure is None, played.failure
    return played.state


def rules(*actions: dict[str, Any], **options: Any) -> list[str]:
    """Return the clauses that forbid the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), 1, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, tuple)
    assert all(isinstance(problem, Problem) for problem in played.failure)
    return [problem.rule for problem in played.failure]


def test_a_throw_takes_one_die_or_two_and_a_1_loses_what_was_thrown() -> None:
    """PIG-1"""
    assert play(throw(4), throw(5, 6)).seats[0].thrown == 15
    assert play(throw(4), throw(1, 6)).seats[0].thrown == 0
    assert rules(throw()) == ["PIG-1"]
    assert rules(throw(2, 2, 2)) == ["PIG-1"]


def test_what_was_thrown_is_banked_and_the_goal_ends_it() -> None:
    """PIG-2, TABLE-2"""
    assert rules(BANK) == ["PIG-2"]
    assert play(throw(4), BANK).seats[0].banked == 4
    assert not GAME.is_finished(play(throw(4), BANK, goal=5))
    assert GAME.is_finished(play(throw(4), BANK, goal=4))
    assert rules(throw(4), BANK, throw(4), goal=4) == ["TABLE-2"]


def test_fewer_throws_rank_higher_and_tied_seats_stay_tied() -> None:
    """PIG-3"""
    done = [{"seat": seat, **action} for seat in (0, 2) for action in (throw(5), BANK)]
    slow = [{"seat": 1, **action} for action in (throw(2), throw(3), BANK)]
    state = play(*done, *slow, seats=3, goal=5)
    assert GAME.ranking(state).groups == ((0, 2), (1,))
    assert GAME.winners(state) == (0, 2)


def test_an_even_sum_is_banked_twice_over_once() -> None:
    """PIG-4, TABLE-4: the more specific clause comes before the more general one."""
    assert play(throw(4), TWICE).seats[0].banked == 8
    assert rules(throw(5), TWICE) == ["PIG-4"]
    assert rules(throw(4), TWICE, TWICE) == ["PIG-4", "PIG-2"]

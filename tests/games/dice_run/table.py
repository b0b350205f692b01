"""Helpers that write actions, play them and list their problems, for the tests of this game."""

from __future__ import annotations

from typing import Any

from games.core.problems import Malformed, Problem
from games.core.replay import replay
from games.core.specs import ActionSpec
from games.dice_run import GAME

FORFEIT = {"type": "forfeit"}
RETIRE = {"type": "retire"}
STOP = {"type": "stop"}
TARGET: dict[str, Any] = {"goal": "target", "target": 75}


def throw(*dice: int) -> dict[str, Any]:
    return {"type": "throw", "dice": list(dice)}


def paper(total: int) -> dict[str, Any]:
    return {"type": "paper", "total": total}


def papers(*totals: int | None) -> list[dict[str, Any]]:
    """Return turns by their sums; None for a missed one."""
    return [FORFEIT if total is None else paper(total) for total in totals]


def cut(**cards: str | None) -> dict[str, Any]:
    """Return a cut; seats are given as `s0`, `s1` …"""
    return {"type": "cut", "cards": {seat[1:]: card for seat, card in cards.items()}}


def by_seat(seat: int, *actions: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the actions with this seat."""
    return [{"seat": seat, **action} for action in actions]


def play(*actions: dict[str, Any], seats: int = 1, **options: Any) -> Any:
    """Return the state after actions that must all be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.failure is None, played.failure
    return played.state


def play_sheets(*sheets: list[dict[str, Any]], **options: Any) -> Any:
    """Return the state after the actions of each seat, all of them legal."""
    actions = [action for seat, sheet in enumerate(sheets) for action in by_seat(seat, *sheet)]
    return play(*actions, seats=len(sheets), **options)


def get_total_of(*actions: dict[str, Any], **options: Any) -> int:
    """Return the total of one sheet after actions that must all be legal."""
    return GAME.standing(play(*actions, **options), 0).total


def rank(*sheets: list[dict[str, Any]], **options: Any) -> list[list[int]]:
    """Return the groups of seats, best first, after the actions of each."""
    return [list(group) for group in GAME.ranking(play_sheets(*sheets, **options)).groups]


def list_problems(*actions: dict[str, Any], seats: int = 1, **options: Any) -> list[Problem]:
    """Return the problems of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, tuple), played.failure
    return list(played.failure)


def list_broken_rules(*actions: dict[str, Any], seats: int = 1, **options: Any) -> list[str]:
    """Return the clauses that forbid the last action."""
    return [problem.rule for problem in list_problems(*actions, seats=seats, **options)]


def get_malformed_field(*actions: dict[str, Any], seats: int = 1, **options: Any) -> str | None:
    """Return the malformed field of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, Malformed), played.failure
    return played.failure.field


def get_malformed_option(**options: Any) -> str | None:
    """Return the option that cannot be read."""
    try:
        GAME.ruleset(options)
    except Malformed as malformed:
        return malformed.field
    raise AssertionError(f"these options can be read: {options}")


def list_offered_types(state: Any, seat: int | None = 0) -> list[str]:
    """Return the types of the offers."""
    return [spec.type for spec in GAME.legal_actions(state, seat)]


def get_spec(state: Any, word: str, seat: int | None = 0) -> ActionSpec:
    """Return the one spec of this type."""
    (found,) = [spec for spec in GAME.legal_actions(state, seat) if spec.type == word]
    return found

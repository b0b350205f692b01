"""Helpers that write actions, play them and list their problems, for the tests of this game."""

from __future__ import annotations

from typing import Any

from games.core.problems import Malformed, Problem
from games.core.replay import replay
from games.core.specs import ActionSpec
from games.grand_prix import GAME
from games.grand_prix.state import Drive

MOVE = {"type": "move"}
RETIRE = {"type": "retire"}
FACES = (1, 2, 3, 4, 5, 6)


def gear(number: int, *, shift: bool = False) -> dict[str, Any]:
    return {"type": "gear", "gear": number, **({"shift": True} if shift else {})}


def roll(*dice: int, include: bool = False) -> dict[str, Any]:
    return {"type": "roll", "dice": list(dice or FACES), **({"include": True} if include else {})}


def reroll(*dice: int, include: bool = False) -> dict[str, Any]:
    return {"type": "reroll", "dice": list(dice or FACES), **({"include": True} if include else {})}


def select(picked: tuple[int, ...], *dice: int, include: bool = False) -> dict[str, Any]:
    action = {"type": "select", "reroll": list(picked), "dice": list(dice)}
    return {**action, **({"include": True} if include else {})}


def turn(number: int, spaces: int, *, shift: bool = False) -> list[dict[str, Any]]:
    """Return a whole turn in this gear that moves the car `spaces` spaces. Gear 1 never moves the car."""
    assert spaces == 0 or number > 1
    assert 0 <= spaces <= 6
    assert number <= 6 or spaces == 6, "in gear 7 every die counts"
    dice = [1] * spaces + [6] * (6 - spaces)
    return [gear(number, shift=shift), roll(*dice), MOVE]


def drive_to(*stops: tuple[int, int]) -> list[dict[str, Any]]:
    """Return the actions of these turns, each given as (gear, spaces)."""
    return [action for number, spaces in stops for action in turn(number, spaces)]


def make_circuit_option(*sections: int, time: int = 9, damage: int = 9, name: str = "Ring") -> dict[str, Any]:
    return {"name": name, "time": time, "damage": damage, "sections": list(sections)}


def make_sheet_option(*circuits: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the option `sheet` with these circuits."""
    return {"circuits": list(circuits), **more}


def make_special_option(free: int, cost: int) -> dict[str, int]:
    return {"free": free, "cost": cost}


ALL_FREE = {name: make_special_option(99, 0) for name in ("reroll", "include", "select", "shift")}
NONE_FREE = {name: make_special_option(0, 99) for name in ("reroll", "include", "select", "shift")}


def by_seat(seat: int, *actions: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the actions with this seat."""
    return [{"seat": seat, **action} for action in actions]


def play(*actions: dict[str, Any], seats: int = 1, **options: Any) -> Any:
    """Return the state after actions that must all be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.failure is None, played.failure
    return played.state


def get_drive(*actions: dict[str, Any], **options: Any) -> Drive:
    """Return the state of the only seat after actions that must all be legal."""
    (seat,) = play(*actions, **options).seats
    assert isinstance(seat, Drive)
    return seat


def list_problems(*actions: dict[str, Any], seats: int = 1, **options: Any) -> list[Problem]:
    """Return the problems of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, tuple), played.failure
    return list(played.failure)


def list_broken_rules(*actions: dict[str, Any], seats: int = 1, **options: Any) -> list[str]:
    """Return the clauses that forbid the last action."""
    return [problem.rule for problem in list_problems(*actions, seats=seats, **options)]


def list_problem_codes(*actions: dict[str, Any], seats: int = 1, **options: Any) -> list[tuple[str, str, str | None]]:
    """Return clause, code and field of each problem of the last action."""
    return [(one.rule, one.code, one.field) for one in list_problems(*actions, seats=seats, **options)]


def get_malformed_field(*actions: dict[str, Any], **options: Any) -> str | None:
    """Return the malformed field of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), 1, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, Malformed), played.failure
    return played.failure.field


def list_specs(state: Any, seat: int = 0) -> list[ActionSpec]:
    """Return the offers, except retiring."""
    return [spec for spec in GAME.legal_actions(state, seat) if spec.type != "retire"]


def get_spec(state: Any, word: str) -> ActionSpec:
    """Return the one spec of this type."""
    (found,) = [spec for spec in list_specs(state) if spec.type == word]
    return found

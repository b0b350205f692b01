"""Helpers that write actions, play them and list their problems, for the tests of this game.

A turn is written roll by roll. ``turn(0, "22456C 22C", "334")`` is a roll of six dice of which 2, 2 and the rogue are
set aside, and a roll of the other three that ends the turn. `"bank"` and `"retire"` are actions by themselves.
"""

from __future__ import annotations

from typing import Any

from games.core.game import Ruleset
from games.core.problems import Malformed, Problem
from games.core.reading import Face
from games.core.replay import replay
from games.core.specs import PickField
from games.rogue import GAME
from games.rogue.state import Table

Log = list[dict[str, Any]]

BANK = {"type": "bank"}
RETIRE = {"type": "retire"}


def parse_faces(word: str) -> list[Face]:
    """Return the dice that a string such as ``"22C"`` means."""
    return [face if face == "C" else int(face) for face in word]


def roll(dice: str) -> dict[str, Any]:
    return {"type": "roll", "dice": parse_faces(dice)}


def keep(dice: str) -> dict[str, Any]:
    return {"type": "keep", "dice": parse_faces(dice)}


def by_seat(seat: int, *actions: dict[str, Any]) -> Log:
    """Return the actions with this seat."""
    return [{"seat": seat, **action} for action in actions]


def turn(seat: int, *entries: str) -> Log:
    """Return the actions of a seat's turn, or of a part of it."""
    log = []
    for step in entries:
        rolled, _, kept = step.partition(" ")
        if step in ("bank", "retire"):
            log.append({"type": step})
        else:
            log.append(roll(rolled))
            if kept:
                log.append(keep(kept))
    return by_seat(seat, *log)


def pass_without_points(*seats: int) -> Log:
    """Return a turn of 0 points for each of these seats."""
    return [action for seat in seats for action in turn(seat, "C22345 C", "bank")]


def play(*parts: Log, seats: int = 2, **options: Any) -> Table:
    """Return the state after turns that must all be legal."""
    actions = [action for part in parts for action in part]
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.failure is None, (actions[played.applied], played.failure)
    assert isinstance(played.state, Table)
    return played.state


def get_turn_points(*entries: str) -> int:
    """Return the points of a turn that ends after the last of these rolls, by itself or by banking."""
    state = play(turn(0, *entries))
    if GAME.to_act(state) == 0:
        state = play(turn(0, *entries, "bank"))
    assert GAME.to_act(state) == 1
    return state.scores[0]


def list_problems(*parts: Log, seats: int = 2, **options: Any) -> list[Problem]:
    """Return the problems of the last action; those before it must be legal."""
    actions = [action for part in parts for action in part]
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, tuple), played.failure
    return list(played.failure)


def list_broken_rules(*parts: Log, seats: int = 2, **options: Any) -> list[str]:
    """Return the clauses that forbid the last action."""
    return [problem.rule for problem in list_problems(*parts, seats=seats, **options)]


def get_malformed_field(*parts: Log, seats: int = 2) -> str | None:
    """Return the malformed field of the last action; those before it must be legal."""
    actions = [action for part in parts for action in part]
    played = replay(GAME.ruleset(), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, Malformed), played.failure
    return played.failure.field


def list_offered_types(state: Table, seat: int) -> list[str]:
    """Return the types of the offers."""
    return [spec.type for spec in GAME.legal_actions(state, seat)]


def list_picks(*entries: str) -> dict[str, int | None]:
    """Return the selections offered after these rolls, with their points, in the order offered."""
    (spec,) = [spec for spec in GAME.legal_actions(play(turn(0, *entries)), 0) if spec.type == "keep"]
    (field,) = spec.fields
    assert isinstance(field, PickField)
    return {"".join(str(face) for face in pick.dice): pick.points for pick in field.picks}


def make_ruleset(**options: Any) -> Ruleset:
    return GAME.ruleset(options)

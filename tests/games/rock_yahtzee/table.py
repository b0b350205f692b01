"""Helpers that write actions, play them and list their problems, for the tests of this game."""

from __future__ import annotations

from typing import Any

from games.core.game import Ruleset
from games.core.problems import Malformed, Problem
from games.core.replay import replay
from games.core.specs import ActionSpec, ChoiceField
from games.rock_yahtzee import GAME

FORFEIT = {"type": "forfeit"}
RETIRE = {"type": "retire"}


def roll(*dice: int, keep: tuple[int, ...] = ()) -> dict[str, Any]:
    return {"type": "roll", "dice": list(dice), **({"keep": list(keep)} if keep else {})}


def result(*dice: int, **more: int) -> dict[str, Any]:
    return {"type": "result", "dice": list(dice), **more}


def score(box: str) -> dict[str, Any]:
    return {"type": "score", "box": box}


def paper(box: str, points: int) -> dict[str, Any]:
    return {"type": "paper", "box": box, "points": points}


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


def get_total_of(*actions: dict[str, Any], **options: Any) -> int:
    """Return the total of one card after actions that must all be legal."""
    return GAME.standing(play(*actions, **options), 0).total


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


def list_offered_types(state: Any, seat: int | None = 0) -> list[str]:
    """Return the types of the offers, without duplicates."""
    return list(dict.fromkeys(spec.type for spec in GAME.legal_actions(state, seat)))


def get_spec(state: Any, word: str, seat: int | None = 0) -> ActionSpec:
    """Return the one spec of this type."""
    (found,) = [spec for spec in GAME.legal_actions(state, seat) if spec.type == word]
    return found


def list_box_choices(state: Any, seat: int = 0) -> ChoiceField:
    """Return the choice of boxes that is offered now."""
    (field,) = get_spec(state, "score", seat).fields
    assert isinstance(field, ChoiceField)
    return field


def get_open_box_points(*dice: int, **options: Any) -> dict[str | int, int | None]:
    """Return the points that these dice would score in each open box of a new card."""
    return {
        choice.value: choice.points
        for choice in list_box_choices(play(result(*dice), **options)).choices
        if choice.open
    }


def make_ruleset(**options: Any) -> Ruleset:
    return GAME.ruleset(options)

"""Helpers that write actions, play them and list their problems, for the tests of this game."""

from __future__ import annotations

from typing import Any

from games.core.problems import Malformed, Problem
from games.core.replay import replay
from games.core.sheet import Cell
from games.core.specs import ActionSpec
from games.go_500 import GAME

Action = dict[str, Any]

STAND: Action = {"type": "stand"}
RETIRE: Action = {"type": "retire"}
ALL_CIRCLED = [30, 30, 30, 30, 30]  # with a green 25


def start(black: int = 5, green: int = 1) -> Action:
    return {"type": "start", "black": black, "green": green}


def roll(*black: int | str, green: int | str | None = None, flag: str = "green") -> Action:
    return {"type": "roll"} | _dice(black, green) | {"flag": flag}


def reroll(*black: int | str, green: int | str | None = None, flag: str = "green") -> Action:
    return {"type": "reroll"} | _dice(black, green) | {"flag": flag}


def lock(*black: int | str, green: bool = False) -> Action:
    return {"type": "lock"} | _dice(black, green or None)


def penalty(face: int | str) -> Action:
    return {"type": "penalty", "face": face}


def roll_penalties_together(*faces: int | str) -> Action:
    """Return the action for penalty dice that were thrown together."""
    return {"type": "penalty", "faces": list(faces)}


def reroll_penalty(face: int | str) -> Action:
    return {"type": "reroll", "face": face}


def _dice(black: tuple[int | str, ...], green: int | str | None) -> Action:
    return ({"black": list(black)} if black else {}) | ({} if green is None else {"green": green})


def score_segment(points: int = 0, flag: str = "green") -> list[Action]:
    """Return a whole segment with one black die and these points: 0, or a face of a black die."""
    if not points:
        return [start(0, 0), roll(flag=flag), STAND]
    return [start(1, 0), roll(points, flag=flag), lock(points)]


def make_course_option(*limits: int | None) -> dict[str, Any]:
    """Return a course with these limits, one for each segment."""
    return {"name": "Test", "segments": [{"name": f"Part {n}", "limit": limit} for n, limit in enumerate(limits, 1)]}


def by_seat(seat: int, *actions: Action) -> list[Action]:
    """Return the actions with this seat."""
    return [{"seat": seat, **action} for action in actions]


def play(*actions: Action, seats: int = 1, **options: Any) -> Any:
    """Return the state after actions that must all be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.failure is None, (played.applied, played.failure)
    return played.state


def get_total_of(*actions: Action, **options: Any) -> int:
    """Return the total of one seat after actions that must all be legal."""
    return GAME.standing(play(*actions, **options), 0).total


def get_cells(*actions: Action, **options: Any) -> dict[str, Cell]:
    """Return the sheet of one seat after actions that must all be legal, by the keys of its lines."""
    return {line.key: line.cells[0] for line in GAME.sheet(play(*actions, **options)).lines}


def list_scores(*actions: Action, **options: Any) -> list[int | None]:
    """Return the score of each segment on the sheet after actions that must all be legal."""
    return [cell.points for key, cell in get_cells(*actions, **options).items() if key.startswith("segment_")]


def list_problems(*actions: Action, seats: int = 1, **options: Any) -> list[Problem]:
    """Return the problems of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, tuple), played.failure
    return list(played.failure)


def list_broken_rules(*actions: Action, seats: int = 1, **options: Any) -> list[str]:
    """Return the clauses that forbid the last action."""
    return [problem.rule for problem in list_problems(*actions, seats=seats, **options)]


def get_malformed_field(*actions: Action, seats: int = 1, **options: Any) -> str | None:
    """Return the malformed field of the last action; those before it must be legal."""
    played = replay(GAME.ruleset(options), seats, actions)
    assert played.applied == len(actions) - 1, played
    assert isinstance(played.failure, Malformed), played.failure
    return played.failure.field


def list_specs(*actions: Action, **options: Any) -> list[ActionSpec]:
    """Return one seat's offers after actions that must all be legal, except retiring."""
    return [spec for spec in GAME.legal_actions(play(*actions, **options), 0) if spec.type != "retire"]


def list_offered_types(*actions: Action, **options: Any) -> list[str]:
    """Return the types of these offers."""
    return [spec.type for spec in list_specs(*actions, **options)]

"""The picture of the table, as plain data for `display.html`.

Terms: a seat's *number* counts from 1. `scale` is the length of the bars in points: a little more than the target, or
than the highest score if that is higher. The dice of a turn are set aside, showing, or still to be rolled. The faces
of dice set aside no longer matter, so only their number is shown.

Derived: the war and the last round follow from the scores. Several seats may have reached the points that start them;
the table does not record which seat was first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rogue.offers import FACES
from games.rogue.scoring import DICE
from games.rogue.state import Setup, Table, Turn

ART = {spec.face: f"rogue/faces/{spec.art}.svg" if spec.art else "" for spec in FACES}
WORDS = {spec.face: spec.word for spec in FACES}


def make_display(table: Table) -> dict[str, Any]:
    """Return each seat's points on the way to the target, the running turn, and whether the war or last round is on."""
    setup: Setup = table.ruleset.setup
    seats = [_seat(table, seat) for seat in range(len(table.scores))]
    farthest = max(setup.target, *(seat["points"] + seat["running"] for seat in seats))
    return {
        "target": setup.target,
        "war_at": setup.war_at,
        "scale": farthest + farthest // 25,
        "shows_war_at": setup.war_at < farthest,
        "seats": seats,
        "at_war": _list_reached(table, setup.war_at),
        "at_target": _list_reached(table, setup.target),
        "turn": None if table.winner is not None else _turn(table.seat, table.turn),
        "winner": None if table.winner is None else table.winner + 1,
    }


def _seat(table: Table, seat: int) -> Mapping[str, Any]:
    is_to_act = table.winner is None and seat == table.seat
    return {
        "number": seat + 1,
        "points": table.scores[seat],
        "running": table.turn.points if is_to_act else 0,
        "is_to_act": is_to_act,
        "is_retired": seat in table.retired,
        "has_won": seat == table.winner,
    }


def _list_reached(table: Table, goal: int) -> list[int]:
    """Return the numbers of the seats that have at least `goal` points."""
    return [seat + 1 for seat, score in enumerate(table.scores) if score >= goal]


def _turn(seat: int, turn: Turn) -> Mapping[str, Any]:
    aside = DICE - turn.left
    return {
        "seat": seat + 1,
        "points": turn.points,
        "aside": aside,
        "left": turn.left,
        "showing": [{"face": str(face), "word": WORDS[face], "art": ART[face]} for face in turn.showing],
        "rogues": turn.rogues,
        "may_rogue_out": 0 < turn.rogues == aside,
    }

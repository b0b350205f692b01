"""An example of a sheet: throws that look like chance, and where it says something a turn that is missed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import Any

from games.dice_run.state import Setup

SIXTHS = (3, 1, 4, 6, 5, 2, 1, 3, 5, 1, 6, 4, 5, 3, 4, 1, 6, 2, 5, 3)  # of the faces; with ordinary dice, faces


def make_example(setup: Setup) -> list[dict[str, Any]]:
    """Return the actions of a whole sheet. The first turn has a second throw where that is allowed.

    The last turn is missed, unless there are few or the target wins, where nobody with a missed turn is in front.
    """
    faces, actions = _list_faces(setup), []
    has_missed = setup.turns > 2 and setup.goal != "target"
    for turn in range(setup.turns - has_missed):
        throws = min(2 if turn == 0 else 1, setup.throws)
        actions += [{"type": "throw", "dice": [next(faces) for _ in range(setup.dice)]} for _ in range(throws)]
        if throws < setup.throws:
            actions.append({"type": "stop"})
    return [*actions, {"type": "forfeit"}] if has_missed else actions


def _list_faces(setup: Setup) -> Iterator[int]:
    return (max(1, sixth * setup.faces // 6) for sixth in cycle(SIXTHS))

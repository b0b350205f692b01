"""The actions on a score sheet, as frozen dataclasses, and how a transcript writes them.

The readers accept any face of the dice and any whole number. The rules decide how many dice there must be and which
sums the dice can show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from games.core.actions import Action, ActionType
from games.core.cards import CUT
from games.core.reading import Faces, WholeNumber
from games.dice_run.state import Dice


@dataclass(frozen=True, slots=True)
class Throw(Action):
    """All dice, thrown at once (DICE-3)."""

    type: ClassVar[str] = "throw"
    dice: Dice


@dataclass(frozen=True, slots=True)
class Stop(Action):
    """Ends the turn before its last throw (DICE-5)."""

    type: ClassVar[str] = "stop"


@dataclass(frozen=True, slots=True)
class Paper(Action):
    """A whole turn of which only the sum is known (DICE-14)."""

    type: ClassVar[str] = "paper"
    total: int


@dataclass(frozen=True, slots=True)
class Forfeit(Action):
    """A turn that was missed (DICE-11)."""

    type: ClassVar[str] = "forfeit"


@lru_cache
def list_action_types(faces: int) -> Sequence[ActionType]:
    """Return the action types for dice with so many faces. A cut can always be read, also where nobody cuts."""
    return (
        ActionType(Throw, {"dice": Faces(tuple(range(1, faces + 1)))}),
        ActionType(Stop, {}),
        ActionType(Paper, {"total": WholeNumber()}),
        ActionType(Forfeit, {}),
        CUT,
    )

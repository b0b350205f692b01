"""The actions of a turn, as frozen dataclasses, and how a transcript writes them.

The readers accept any list of faces. The rules decide how many dice there must be and which of them can be set aside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action, ActionType, action_types
from games.core.reading import Faces
from games.rogue.scoring import FACES, Dice


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """A roll of all dice that are not set aside (ROGUE-2)."""

    type: ClassVar[str] = "roll"
    dice: Dice


@dataclass(frozen=True, slots=True)
class Keep(Action):
    """Dice of the roll that are set aside (ROGUE-2)."""

    type: ClassVar[str] = "keep"
    dice: Dice


@dataclass(frozen=True, slots=True)
class Bank(Action):
    """Ends the turn with dice left (ROGUE-22)."""

    type: ClassVar[str] = "bank"


_DICE = Faces(FACES)

ACTION_TYPES = action_types(
    ActionType(Roll, {"dice": _DICE}),
    ActionType(Keep, {"dice": _DICE}),
    ActionType(Bank, {}),
)

"""What can be noted in a turn, as frozen records, and how each is written in a transcript.

A reader here lets through whatever is a list of faces; how many dice there are and which of them can be set aside is
for the rules to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action, ActionType, action_types
from games.core.reading import Faces
from games.rogue.scoring import FACES, Dice


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """All dice that are not set aside, as they fell (ROGUE-2)."""

    type: ClassVar[str] = "roll"
    dice: Dice


@dataclass(frozen=True, slots=True)
class Keep(Action):
    """Dice of that roll, set aside (ROGUE-2)."""

    type: ClassVar[str] = "keep"
    dice: Dice


@dataclass(frozen=True, slots=True)
class Bank(Action):
    """The turn ends with dice unrolled (ROGUE-22)."""

    type: ClassVar[str] = "bank"


_DICE = Faces(FACES)

ACTION_TYPES = action_types(
    ActionType(Roll, {"dice": _DICE}),
    ActionType(Keep, {"dice": _DICE}),
    ActionType(Bank, {}),
)

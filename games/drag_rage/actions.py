"""What can be noted of a race, as frozen records, and how each is written in a transcript.

A reader here lets through every counter of the set and every face of a die; whether the counter is still there and how
many dice a roll takes is for the rules to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action, ActionType
from games.core.dice import PIPS
from games.core.reading import Faces, WholeNumber
from games.drag_rage.state import COUNTERS, SEATS


@dataclass(frozen=True, slots=True)
class StartHeat(Action):
    """The table starts a heat; `first` is the seat that has its first turn (DRAG-17)."""

    type: ClassVar[str] = "start_heat"
    first: int


@dataclass(frozen=True, slots=True)
class Advance(Action):
    """The car moves as many spaces as the counter says (DRAG-4)."""

    type: ClassVar[str] = "advance"
    counter: int


@dataclass(frozen=True, slots=True)
class Challenge(Action):
    """The opponent must roll for the move just made (DRAG-3)."""

    type: ClassVar[str] = "challenge"


@dataclass(frozen=True, slots=True)
class Defend(Action):
    """The challenged player's roll; of three dice the last is the nitro die (DRAG-5)."""

    type: ClassVar[str] = "defend"
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """The challenger does not advance (DRAG-6, DRAG-7), or there is no counter left to do so (DRAG-27)."""

    type: ClassVar[str] = "pass"


ACTION_TYPES = (
    ActionType(StartHeat, {"first": WholeNumber(0, SEATS - 1)}, has_seat=False),
    ActionType(Advance, {"counter": WholeNumber(COUNTERS[0], COUNTERS[-1])}),
    ActionType(Challenge, {}),
    ActionType(Defend, {"dice": Faces(PIPS)}),
    ActionType(Pass, {}),
)

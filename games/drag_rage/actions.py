"""The actions of a race, as frozen dataclasses, and how a transcript writes them.

The readers accept any counter of the set and any face of a die. The rules decide whether the counter is still unused
and how many dice a roll takes.
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
    """The table starts a heat; `first` is the seat with the first turn (DRAG-17)."""

    type: ClassVar[str] = "start_heat"
    first: int


@dataclass(frozen=True, slots=True)
class Advance(Action):
    """The car moves by the number of the counter (DRAG-4)."""

    type: ClassVar[str] = "advance"
    counter: int


@dataclass(frozen=True, slots=True)
class Challenge(Action):
    """The opponent must roll for the last move (DRAG-3)."""

    type: ClassVar[str] = "challenge"


@dataclass(frozen=True, slots=True)
class Defend(Action):
    """The challenged player's roll; if there are three dice, the last is the nitro die (DRAG-5)."""

    type: ClassVar[str] = "defend"
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pass(Action):
    """The challenger does not advance (DRAG-6, DRAG-7), or no counter is left to advance with (DRAG-27)."""

    type: ClassVar[str] = "pass"


ACTION_TYPES = (
    ActionType(StartHeat, {"first": WholeNumber(0, SEATS - 1)}, has_seat=False),
    ActionType(Advance, {"counter": WholeNumber(COUNTERS[0], COUNTERS[-1])}),
    ActionType(Challenge, {}),
    ActionType(Defend, {"dice": Faces(PIPS)}),
    ActionType(Pass, {}),
)

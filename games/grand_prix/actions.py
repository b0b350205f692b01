"""The actions of a turn, as frozen dataclasses, and how a transcript writes them.

The readers accept any face, flag or whole number. The rules decide which gear, how many dice and which of them are
possible at the moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action, ActionType
from games.core.dice import PIPS
from games.core.reading import Faces, Flag, WholeNumber
from games.grand_prix.scoring import Dice


@dataclass(frozen=True, slots=True)
class SelectGear(Action):
    """Begins a turn: marks time and selects the gear, with a shift if it is not a neighbour (GP-2, GP-3, GP-19)."""

    type: ClassVar[str] = "gear"
    gear: int
    shift: bool = False


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """The turn's six dice, optionally with include, which is declared before the roll (GP-4, GP-18)."""

    type: ClassVar[str] = "roll"
    dice: Dice
    include: bool = False


@dataclass(frozen=True, slots=True)
class Reroll(Action):
    """Rolls all six dice again (GP-10)."""

    type: ClassVar[str] = "reroll"
    dice: Dice
    include: bool = False


@dataclass(frozen=True, slots=True)
class Select(Action):
    """Rolls some of the dice showing (`reroll`) again; `dice` is what they show now (GP-10, GP-18)."""

    type: ClassVar[str] = "select"
    reroll: Dice
    dice: Dice
    include: bool = False


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Ends the turn: the car moves, then takes its damage (GP-4, GP-6)."""

    type: ClassVar[str] = "move"


_DICE = Faces(PIPS)

ACTION_TYPES = (
    ActionType(SelectGear, {"gear": WholeNumber(), "shift": Flag()}),
    ActionType(Roll, {"dice": _DICE, "include": Flag()}),
    ActionType(Reroll, {"dice": _DICE, "include": Flag()}),
    ActionType(Select, {"reroll": _DICE, "dice": _DICE, "include": Flag()}),
    ActionType(Move, {}),
)

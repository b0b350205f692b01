"""What can be noted on a card, as frozen records, and how each is written in a transcript.

A reader here lets through whatever is a face, a box or a whole number; how many dice, which box and how many
points fit the moment is for the rules to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action, ActionType
from games.core.dice import PIPS
from games.core.reading import Faces, OneOf, WholeNumber
from games.rock_yahtzee.boxes import BOXES
from games.rock_yahtzee.scoring import Dice


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """Dice newly rolled, and those set aside before (ROCK-3, ROCK-4)."""

    type: ClassVar[str] = "roll"
    dice: Dice
    keep: Dice = ()


@dataclass(frozen=True, slots=True)
class Result(Action):
    """The turn's final dice, and after how many rolls they lay there where that is known (ROCK-31)."""

    type: ClassVar[str] = "result"
    dice: Dice
    rolls: int | None = None


@dataclass(frozen=True, slots=True)
class Score(Action):
    """The box the turn's dice go to; ends the turn (ROCK-6)."""

    type: ClassVar[str] = "score"
    box: str


@dataclass(frozen=True, slots=True)
class Paper(Action):
    """A whole turn as a paper card has it (ROCK-29)."""

    type: ClassVar[str] = "paper"
    box: str
    points: int


@dataclass(frozen=True, slots=True)
class Forfeit(Action):
    """A turn that was missed (ROCK-26)."""

    type: ClassVar[str] = "forfeit"


_DICE = Faces(PIPS)
_BOX = OneOf({box.word: box.word for box in BOXES})

ACTION_TYPES = (
    ActionType(Roll, {"dice": _DICE, "keep": _DICE}),
    ActionType(Result, {"dice": _DICE, "rolls": WholeNumber()}),
    ActionType(Score, {"box": _BOX}),
    ActionType(Paper, {"box": _BOX, "points": WholeNumber()}),
    ActionType(Forfeit, {}),
)

"""The actions on a card, as frozen dataclasses, and how a transcript writes them.

The readers accept any face, box or whole number. The rules decide how many dice, which box and how many points are
possible at the moment.
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
    """The dice just rolled, and the dice set aside before (ROCK-3, ROCK-4)."""

    type: ClassVar[str] = "roll"
    dice: Dice
    keep: Dice = ()


@dataclass(frozen=True, slots=True)
class Result(Action):
    """The turn's final dice, and the number of rolls it took to get them, if known (ROCK-31)."""

    type: ClassVar[str] = "result"
    dice: Dice
    rolls: int | None = None


@dataclass(frozen=True, slots=True)
class Score(Action):
    """Scores the turn's dice in a box and ends the turn (ROCK-6)."""

    type: ClassVar[str] = "score"
    box: str


@dataclass(frozen=True, slots=True)
class Paper(Action):
    """A whole turn, copied from a paper card (ROCK-29)."""

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

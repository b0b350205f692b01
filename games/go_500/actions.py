"""The actions of a race, as frozen dataclasses, and how a transcript writes them.

The readers accept every face that a die of the colour has. The rules decide whether that die is in play, how many dice
there must be and which fields are required at the moment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action, ActionType
from games.core.problems import Malformed
from games.core.reading import MISSING_FIELD, UNKNOWN_FACE, Face, Flag, OneOf, WholeNumber, abbreviate, read_list
from games.core.text import gettext_noop
from games.go_500.kit import FLAGS
from games.go_500.state import Dice, Setup

FACE_AND_FACES = gettext_noop("A penalty gives either “face” or “faces”, not both.")


@dataclass(frozen=True, slots=True)
class Start(Action):
    """The number of dice of each colour that are chosen for the segment (GO-4)."""

    type: ClassVar[str] = "start"
    black: int
    green: int


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """A roll of all dice in play (GO-5)."""

    type: ClassVar[str] = "roll"
    flag: str
    black: Dice = ()
    green: Face | None = None


@dataclass(frozen=True, slots=True)
class Reroll(Action):
    """Rolls the last dice again (GO-6), or the penalty die (GO-12)."""

    type: ClassVar[str] = "reroll"
    black: Dice = ()
    green: Face | None = None
    flag: str | None = None
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class Lock(Action):
    """Locks dice; the rest is rolled next (GO-14)."""

    type: ClassVar[str] = "lock"
    black: Dice = ()
    green: bool = False


@dataclass(frozen=True, slots=True)
class Stand(Action):
    """Accepts the current roll."""

    type: ClassVar[str] = "stand"


@dataclass(frozen=True, slots=True)
class Penalty(Action):
    """The penalty roll that is due, or several penalty dice that were thrown together (GO-27)."""

    type: ClassVar[str] = "penalty"
    face: Face | None = None
    faces: Dice | None = None


@dataclass(frozen=True, slots=True)
class FaceReader:
    """Reads a face in any of its spellings."""

    face_by_spelling: Mapping[Face, Face]

    def read(self, value: object, path: str) -> Face:
        if isinstance(value, bool) or not isinstance(value, (int, str)) or value not in self.face_by_spelling:
            known = ", ".join(dict.fromkeys(str(face) for face in self.face_by_spelling.values()))
            raise Malformed(path, UNKNOWN_FACE, {"face": abbreviate(value), "faces": known})
        return self.face_by_spelling[value]


@dataclass(frozen=True, slots=True)
class FacesReader:
    """Reads a list of such faces."""

    face_by_spelling: Mapping[Face, Face]

    def read(self, value: object, path: str) -> Dice:
        reader = FaceReader(self.face_by_spelling)
        return tuple([reader.read(face, f"{path}[{index}]") for index, face in enumerate(read_list(value, path))])


@dataclass(frozen=True)
class PenaltyType(ActionType):
    """The action type of `penalty`: exactly one of its two fields must be given."""

    def read(self, data: Mapping[str, object], seats: int, path: str) -> Action:
        action = ActionType.read(self, data, seats, path)
        prefix = f"{path}." if path else ""
        if "face" in data and "faces" in data:
            raise Malformed(f"{prefix}faces", FACE_AND_FACES)
        if "face" not in data and "faces" not in data:
            raise Malformed(f"{prefix}face", MISSING_FIELD, {"name": "face"})
        return action


def list_action_types(setup: Setup) -> Sequence[ActionType]:
    """Return the action types for the dice of this kit."""
    black, green = FacesReader(setup.black.face_by_spelling), FaceReader(setup.green.face_by_spelling)
    flag = OneOf({flag: flag for flag in FLAGS})
    penalties = {**setup.yellow.face_by_spelling, **setup.red.face_by_spelling}
    return (
        ActionType(Start, {"black": WholeNumber(), "green": WholeNumber()}),
        ActionType(Roll, {"black": black, "green": green, "flag": flag}),
        ActionType(Reroll, {"black": black, "green": green, "flag": flag, "face": FaceReader(penalties)}),
        ActionType(Lock, {"black": black, "green": Flag()}),
        ActionType(Stand, {}),
        PenaltyType(Penalty, {"face": FaceReader(penalties), "faces": FacesReader(penalties)}),
    )

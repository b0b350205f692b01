"""The kit: the faces of the dice (GO-16, GO-17).

Terms: a *face* is written as its label, or as a whole number if the label is that number in usual decimal notation.
The rules use the number if there is one. A *mark* is a label with a special meaning on one colour; it is worth 0.

Derived: a `Die` is made from the rows of its colour. The flag die is the same in every kit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.core.options import FlagOption, NumberOption, Option, RecordOption, RowsOption, TextOption
from games.core.problems import Malformed
from games.core.reading import Face, read_object, read_whole_number
from games.core.text import Text, gettext_noop, pgettext_noop

BLACK_DICE = 5
MAX_FACES = 20
MIN_PENALTY = -1_000_000  # the lower bound of forms; the rule book has none

FLAT = "flat"
LIGHTS = "lights"
CRASH = "crash"
CIRCLED_X = "x"

GREEN_FLAG, YELLOW_FLAG, RED_FLAG, BLACK_FLAG = FLAGS = ("green", "yellow", "red", "black")
FLAG_DIE = (GREEN_FLAG, GREEN_FLAG, GREEN_FLAG, YELLOW_FLAG, RED_FLAG, BLACK_FLAG)  # GO-17

SAME_LABEL = gettext_noop("This die already has a face labelled “%(label)s”. Give each face its own label.")
ABOVE_ZERO = gettext_noop("A penalty is added, so this must be 0 or less.")
NOT_ZERO = gettext_noop("“%(label)s” has a special meaning on this die and is always worth 0.")


class Die(NamedTuple):
    """The faces of one colour.

    Attributes:
        values: the value of each face.
        circled: the circled faces.
        face_by_spelling: every spelling of a face, and the face that it means.
    """

    values: Mapping[Face, int]
    circled: frozenset[Face]
    face_by_spelling: Mapping[Face, Face]


def make_die(rows: Sequence[Mapping[str, Any]]) -> Die:
    """Return the die with these rows, which were read from the option `kit`."""
    face_of = {row["face"]: _as_face(row["face"]) for row in rows}
    return Die(
        {face_of[row["face"]]: row["value"] for row in rows},
        frozenset(face_of[row["face"]] for row in rows if row.get("circled")),
        {**face_of, **{face: face for face in face_of.values()}},
    )


def _as_face(label: str) -> Face:
    """Return the label as a whole number if it is written in usual decimal notation, or else the label."""
    try:
        number = int(label)
    except ValueError:
        return label
    return number if str(number) == label else label


@dataclass(frozen=True, slots=True)
class PenaltyOption(NumberOption):
    """The value of a penalty: 0 or any number below."""

    def read(self, value: object, path: str) -> int:
        number = read_whole_number(value, path)
        if number > 0:
            raise Malformed(path, ABOVE_ZERO)
        return number


@dataclass(frozen=True, slots=True)
class FaceOption(RecordOption):
    """A row of the kit. If `circled` is missing, the face is not circled."""

    def read(self, value: object, path: str) -> Mapping[str, Any]:
        given = read_object(value, path)
        unsaid = {field.name: field.default for field in self.fields if isinstance(field, FlagOption)}
        return RecordOption.read(self, {**unsaid, **given}, path)


@dataclass(frozen=True, slots=True)
class DieOption(RowsOption):
    """The faces of one colour. Labels are unique, and marks are worth 0."""

    marks: tuple[str, ...] = ()

    def read(self, value: object, path: str) -> tuple[Mapping[str, Any], ...]:
        rows = RowsOption.read(self, value, path)
        seen = set()
        for index, row in enumerate(rows):
            label = row["face"]
            if label in seen:
                raise Malformed(f"{path}[{index}].face", SAME_LABEL, {"label": label})
            if label in self.marks and row["value"] != 0:
                raise Malformed(f"{path}[{index}].value", NOT_ZERO, {"label": label})
            seen.add(label)
        return rows


def _row(*fields: Option) -> FaceOption:
    label = TextOption(
        "face", pgettext_noop("what a side of a die shows", "Face"), gettext_noop("What the face shows."), ""
    )
    side = pgettext_noop("a side of a die", "Face")
    return FaceOption("face", side, gettext_noop("One side of the die."), fields=(label, *fields))


SPEED = _row(
    NumberOption("value", gettext_noop("Value"), gettext_noop("What the face is worth: 0 or more."), 0),
    FlagOption("circled", gettext_noop("Circled"), gettext_noop("Whether the face is circled.")),
)
PENALTY = _row(
    PenaltyOption(
        "value",
        gettext_noop("Value"),
        gettext_noop("What the face adds: 0 or less."),
        0,
        low=MIN_PENALTY,
        high=0,
    ),
)


def _speeds(*values: int, circled: int) -> Iterator[Mapping[str, Any]]:
    return ({"face": str(value), "value": value, "circled": value == circled} for value in values)


def _penalties(*values: int) -> Iterator[Mapping[str, Any]]:
    return ({"face": str(value), "value": value} for value in values)


def _die(name: str, label: Text, faces: Sequence[Mapping[str, Any]], row: FaceOption, *marks: str) -> DieOption:
    help_text = gettext_noop("The faces of the die, from 1 to 20 of them.")
    return DieOption(name, label, help_text, tuple(faces), row, (1, MAX_FACES), marks)


KIT = RecordOption(
    "kit",
    gettext_noop("Dice"),
    gettext_noop("What is on the dice. A colour you leave out has the faces in the rule book."),
    fields=(
        _die("black", gettext_noop("Black dice"), [*_speeds(5, 10, 15, 20, 25, 30, circled=30)], SPEED),
        _die(
            "green",
            gettext_noop("Green die"),
            [{"face": FLAT, "value": 0, "circled": False}, *_speeds(5, 10, 15, 20, 25, circled=25)],
            SPEED,
            FLAT,
        ),
        _die(
            "yellow",
            gettext_noop("Yellow die"),
            [{"face": LIGHTS, "value": 0}, *_penalties(-5, -10, -15, -20, -25)],
            PENALTY,
            LIGHTS,
        ),
        _die(
            "red",
            gettext_noop("Red die"),
            [{"face": CRASH, "value": 0}, {"face": CIRCLED_X, "value": 0}, *_penalties(-10, -20, -30, -40)],
            PENALTY,
            CRASH,
            CIRCLED_X,
        ),
    ),
    partial=True,
)

"""Action specs: what may be done now, as data. A form, an API schema and a phone page are made of it.

A spec offers one action type with fields of a closed list of kinds. Every combination of allowed field values
is a legal action at that moment: that is a promise, and a test samples it. A new kind is a change here, never
a special form in a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from games.core.actions import Retire
from games.core.reading import Face
from games.core.text import Params, Text, gettext_noop

Colour = Literal["white", "black", "green", "yellow", "red"]

RETIRE = gettext_noop("Retire")

MAX_PICKS = 64  # at most so many selections of a pick are listed


class Count(NamedTuple):
    """How many dice a field takes: from `low` to `high`; with `less_pick`, that many less the pick's length;
    with `like_pick`, as many as the pick has."""

    low: int
    high: int
    less_pick: str | None = None
    like_pick: str | None = None


class FaceSpec(NamedTuple):
    """A face as it is written in an action, the word a person reads beside its picture, and the picture's name.

    The picture is the game's own fragment `faces/<art>.svg`; without one the face is drawn as pips or as its number.
    """

    face: Face
    word: Text
    art: str = ""


@dataclass(frozen=True, slots=True)
class DiceField:
    """Faces read off real dice of one colour, as a list; or, when `single`, the face of one die by itself."""

    name: str
    label: Text
    faces: tuple[FaceSpec, ...]
    count: Count
    required: bool = True
    single: bool = False
    colour: Colour = "white"
    kind: Literal["dice"] = "dice"


class Pick(NamedTuple):
    """One allowed selection of the dice showing, and what it would score where that is known."""

    dice: tuple[Face, ...]
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PickField:
    """A selection of the dice showing; `faces` says how these look, where no dice field of the same spec does."""

    name: str
    label: Text
    showing: tuple[Face, ...]
    picks: tuple[Pick, ...]
    required: bool = True
    faces: tuple[FaceSpec, ...] = ()
    colour: Colour = "white"
    kind: Literal["pick"] = "pick"


class Choice(NamedTuple):
    """One thing to choose, open or closed. A closed one says why, with its clause.

    One that stands for a seat names it: whoever knows who sits there calls it by that name.
    """

    value: str | int
    label: Text
    points: int | None = None
    open: bool = True
    why_not: Text | None = None
    params: Params = {}  # read only
    rule: str = ""
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class ChoiceField:
    """One out of a list, best first where points are known."""

    name: str
    label: Text
    choices: tuple[Choice, ...]
    required: bool = True
    kind: Literal["choice"] = "choice"


@dataclass(frozen=True, slots=True)
class NumberField:
    """A whole number from `low` to `high`, or one of `values` where they are given."""

    name: str
    label: Text
    low: int
    high: int
    values: tuple[int, ...] = ()
    required: bool = True
    kind: Literal["number"] = "number"


@dataclass(frozen=True, slots=True)
class FlagField:
    """Yes or no; left out is no. One that is required is always yes: the action is that."""

    name: str
    label: Text
    required: bool = False
    kind: Literal["flag"] = "flag"


@dataclass(frozen=True, slots=True)
class CardsField:
    """A playing card for each of these seats, or none for a seat that is not there."""

    name: str
    label: Text
    seats: tuple[int, ...]
    required: bool = True
    kind: Literal["cards"] = "cards"


Field = DiceField | PickField | ChoiceField | NumberField | FlagField | CardsField


class OrdinalOf(NamedTuple):
    """Which of so many: the second roll of three."""

    number: int
    of: int


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action that may be done now.

    Attributes:
        type: the action's word.
        seat: who would do it; None for the table.
        label: what to write on the button.
        fields: what must or may be given with it.
        one_of: names of fields of which exactly one is given.
        nth: which of this turn's actions of the type it would be, where the rules limit them.
    """

    type: str
    seat: int | None
    label: Text
    fields: tuple[Field, ...] = ()
    one_of: tuple[str, ...] = ()
    nth: OrdinalOf | None = None


def make_retire_spec(seat: int) -> ActionSpec:
    """Return the offer that every seat has as long as the game is not over for it (TABLE-3)."""
    return ActionSpec(Retire.type, seat, RETIRE)

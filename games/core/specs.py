"""Action specs: what can be done now, as data. Forms, the API schema and the phone's pages are built from it.

A spec offers one action type. Its fields are of the kinds defined here; to add a kind, change this module instead of
writing a special form for one game.

Invariant: every combination of allowed field values is a legal action at that moment. A test samples such
combinations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from games.core.actions import Retire
from games.core.reading import Face
from games.core.text import Params, Text, gettext_noop, pgettext_noop

Colour = Literal["white", "black", "green", "yellow", "red"]

RETIRE = gettext_noop("Retire")
RETIRED = pgettext_noop("an action that was recorded", "Retired")

MAX_PICKS = 64  # the most selections that a pick lists


class Count(NamedTuple):
    """How many dice a field takes: from `low` to `high`.

    With `less_pick`, subtract the number of dice in that pick. With `like_pick`, take as many dice as that pick has.
    """

    low: int
    high: int
    less_pick: str | None = None
    like_pick: str | None = None


class FaceSpec(NamedTuple):
    """A face as an action writes it, the word for it, and the name of its picture.

    The picture is the game's template `faces/<art>.svg`. Without one, the face is drawn as pips or as its number.
    """

    face: Face
    word: Text
    art: str = ""


@dataclass(frozen=True, slots=True)
class DiceField:
    """The faces of real dice of one colour, as a list; if `single`, the face of one die instead of a list."""

    name: str
    label: Text
    faces: tuple[FaceSpec, ...]
    count: Count
    required: bool = True
    single: bool = False
    colour: Colour = "white"
    kind: Literal["dice"] = "dice"


class Pick(NamedTuple):
    """One allowed selection of the dice showing, and what it would score if that is known."""

    dice: tuple[Face, ...]
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PickField:
    """A selection of the dice showing. Give `faces` if no dice field of the same spec says what they look like."""

    name: str
    label: Text
    showing: tuple[Face, ...]
    picks: tuple[Pick, ...]
    required: bool = True
    faces: tuple[FaceSpec, ...] = ()
    colour: Colour = "white"
    kind: Literal["pick"] = "pick"


class Choice(NamedTuple):
    """One choice, open or closed. A closed choice gives the reason and its clause.

    If the choice means a seat, `seat` is its number, so that a page can show the player's name instead of the label.
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
    """One choice from a list, best first if the points are known."""

    name: str
    label: Text
    choices: tuple[Choice, ...]
    required: bool = True
    kind: Literal["choice"] = "choice"


@dataclass(frozen=True, slots=True)
class NumberField:
    """A whole number from `low` to `high`, or one of `values` if they are given."""

    name: str
    label: Text
    low: int
    high: int
    values: tuple[int, ...] = ()
    required: bool = True
    kind: Literal["number"] = "number"


@dataclass(frozen=True, slots=True)
class FlagField:
    """Yes or no; a missing value means no. A required flag is always yes, since the action consists in setting it.

    With `points`, setting it adds that many to what a selection of dice in the same action would score.
    """

    name: str
    label: Text
    required: bool = False
    points: int | None = None
    kind: Literal["flag"] = "flag"


@dataclass(frozen=True, slots=True)
class CardsField:
    """A playing card for each of these seats, or None for an absent seat."""

    name: str
    label: Text
    seats: tuple[int, ...]
    required: bool = True
    kind: Literal["cards"] = "cards"


@dataclass(frozen=True, slots=True)
class DrawField:
    """Cards drawn from a pack, as a list; if `single`, the code of one card instead of a list.

    Attributes:
        cards: the codes of the cards that may come, each of them once (`games.core.cards.CARDS`).
        count: how many are drawn.
        low: how many at least, where that depends on options that are not known; by default all of them.
        jokers: how many of them may be jokers instead (`games.core.cards.JOKER`).
        has_jokers: whether the pack has any, even if none may come now.
    """

    name: str
    label: Text
    cards: tuple[str, ...]
    count: int
    jokers: int = 0
    low: int | None = None
    has_jokers: bool = False
    required: bool = True
    single: bool = False
    kind: Literal["draw"] = "draw"


Field = DiceField | PickField | ChoiceField | NumberField | FlagField | CardsField | DrawField


class OrdinalOf(NamedTuple):
    """A position in a series, such as the second roll of three."""

    number: int
    of: int


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action that can be done now.

    Attributes:
        type: the name of the action type.
        seat: the seat that would act; None for the table.
        label: the text of the button.
        done: what was done, once it is recorded, without the values of the fields: "Rolled". The history has it.
        fields: the required and optional fields of the action.
        one_of: names of fields of which exactly one must be given.
        nth: which action of this type it would be in this turn, if the rules limit their number.
        prompt: what it asks the player to do, to follow their name: "end the turn". An action that takes dice and has
            no prompt asks to throw them.
    """

    type: str
    seat: int | None
    label: Text
    fields: tuple[Field, ...] = ()
    one_of: tuple[str, ...] = ()
    nth: OrdinalOf | None = None
    prompt: Text | None = None
    done: Text | None = None


def make_retire_spec(seat: int) -> ActionSpec:
    """Return the offer to retire, which every seat has until the game is over for it (TABLE-3)."""
    return ActionSpec(Retire.type, seat, RETIRE, done=RETIRED)

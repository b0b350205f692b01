"""The usual dice with one to six pips, the kinds of dice that a game has, and a helper that removes dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from games.core.reading import Face
from games.core.specs import Colour, FaceSpec
from games.core.text import Text, gettext_noop

F = TypeVar("F", bound=Face)

PIPS = (1, 2, 3, 4, 5, 6)
PIP_FACES = (
    FaceSpec(1, gettext_noop("one")),
    FaceSpec(2, gettext_noop("two")),
    FaceSpec(3, gettext_noop("three")),
    FaceSpec(4, gettext_noop("four")),
    FaceSpec(5, gettext_noop("five")),
    FaceSpec(6, gettext_noop("six")),
)


ORDINARY_DICE = gettext_noop("Dice")


class DieKind(NamedTuple):
    """A kind of die that a game is played with.

    Attributes:
        key: identifies it within the ruleset.
        label: its name for people.
        faces: its different faces, in their order.
        weights: how many sides show each of them.
        dice: how many such dice are usually thrown together.
        colour: how they are drawn.
    """

    key: str
    label: Text
    faces: tuple[FaceSpec, ...]
    weights: tuple[int, ...]
    dice: int = 1
    colour: Colour = "white"


def make_ordinary_dice(count: int) -> DieKind:
    """Return the kind of the usual dice, of which so many are thrown together."""
    return DieKind("d6", ORDINARY_DICE, PIP_FACES, (1,) * len(PIP_FACES), count)


def remove_dice(showing: Sequence[F], wanted: Sequence[F]) -> tuple[tuple[F, ...], tuple[F, ...]]:
    """Remove the wanted dice from those showing; each die showing can be removed once.

    Returns:
        The dice that are left, and the wanted dice that were not there.
    """
    left, missing = list(showing), []
    for die in wanted:
        if die in left:
            left.remove(die)
        else:
            missing.append(die)
    return tuple(left), tuple(missing)

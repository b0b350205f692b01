"""The usual dice with one to six pips, and a helper that removes dice from those showing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from games.core.reading import Face
from games.core.specs import FaceSpec
from games.core.text import gettext_noop

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

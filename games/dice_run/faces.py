"""The faces of the dice, whose number is an option (DICE-3)."""

from __future__ import annotations

from functools import lru_cache

from games.core.dice import ORDINARY_DICE, PIP_FACES, PIPS, DieKind, make_ordinary_dice
from games.core.specs import FaceSpec
from games.core.text import Text, gettext_noop
from games.dice_run.state import Setup

# The 0 of a die marked 0 to 9 stands for ten, and is recorded so (DICE-21).
TEN_IS_ZERO = FaceSpec(10, gettext_noop("0 is ten"))


@lru_cache
def list_faces(faces: int) -> tuple[FaceSpec, ...]:
    """Return the faces of a die with so many. Where they are numbers and no pips, the number itself is the word."""
    if faces <= len(PIPS):
        return PIP_FACES[:faces]
    numbers = tuple(FaceSpec(number, Text(str(number))) for number in range(1, faces + 1))
    return (*numbers[:-1], TEN_IS_ZERO) if faces == TEN_IS_ZERO.face else numbers


def make_die_kind(setup: Setup) -> DieKind:
    """Return the kind of the dice."""
    if setup.faces == len(PIPS):
        return make_ordinary_dice(setup.dice)
    return DieKind(f"d{setup.faces}", ORDINARY_DICE, list_faces(setup.faces), (1,) * setup.faces, setup.dice)

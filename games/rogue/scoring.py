"""What may be set aside from a roll and what it gives: a table over the 923 ways one to six dice can fall.

Terms: dice are *in order* with the numbers ascending and the critters last; every key of the table is. A *keep* is a
selection that may be set aside, with its points on that roll, a rogue's doubling included. A roll without a keep ends
the turn (ROGUE-3). That a rogue on the last die doubles the whole turn (ROGUE-8) is not a matter of one roll: here it
gives 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement, product

from games.core.reading import Face

Dice = tuple[Face, ...]

CRITTER = "C"
FACES: Dice = (2, 3, 4, 5, 6, CRITTER)
DICE = 6
ROGUE: Dice = (CRITTER,)
RUN = FACES
RUN_POINTS = 250

# Points by the number of dice alike (ROGUE-4).
CHART: Mapping[Face, tuple[int, ...]] = {
    2: (0, 0, 4, 20, 100, 500, 1300),
    3: (0, 0, 6, 30, 150, 600, 1300),
    4: (0, 0, 8, 40, 200, 700, 1300),
    5: (0, 0, 10, 50, 250, 800, 1300),
    6: (0, 0, 12, 60, 300, 900, 1300),
    CRITTER: (0, 0, 15, 75, 350, 1000, 1500),
}


@cache
def sort_dice(dice: Dice) -> Dice:
    """Return the dice in order. The answers are kept: ask for six dice at most."""
    return tuple(sorted(dice, key=FACES.index))


def _list_keeps(showing: Dice) -> Mapping[Dice, int]:
    """Return every keep of these dice, with its points (ROGUE-4, ROGUE-5, ROGUE-7, ROGUE-9, ROGUE-11)."""
    has_rogue = showing.count(CRITTER) == 1
    keeps = {}
    for sizes in product(*(_set_sizes(showing.count(face)) for face in FACES)):
        alike = list(zip(FACES, sizes, strict=True))
        dice = tuple(face for face, size in alike for _ in range(size))
        points = sum(CHART[face][size] for face, size in alike)
        if dice:
            keeps[dice] = points
        if has_rogue:
            keeps[dice + ROGUE] = 2 * points
    if showing == RUN:
        keeps[RUN] = RUN_POINTS
    return keeps


def _set_sizes(count: int) -> tuple[int, ...]:
    """Return how many of `count` dice alike may go into a set: none, or two and more (ROGUE-16, ROGUE-17)."""
    return (0, *range(2, count + 1))


# By the dice showing, in order.
KEEPS: Mapping[Dice, Mapping[Dice, int]] = {
    showing: _list_keeps(showing)
    for size in range(1, DICE + 1)
    for showing in combinations_with_replacement(FACES, size)
}


def get_best_keep(showing: Dice) -> Dice:
    """Return the keep with the most points of dice that have one."""
    keeps = KEEPS[showing]
    return max(keeps, key=keeps.__getitem__)

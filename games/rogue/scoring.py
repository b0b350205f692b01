"""What can be set aside from a roll and what it scores, as a table of the 923 possible rolls of one to six dice.

Terms: dice are *in order* if the numbers ascend and the critters come last; every key of the table is in order. A
*keep* is a selection that can be set aside, with its points on that roll, including a rogue's doubling. A roll without
a keep ends the turn (ROGUE-3). A rogue on the last die scores 0 here: it doubles the whole turn (ROGUE-8), which does
not depend on one roll alone.
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

# The points of a set, by face and number of dice (ROGUE-4).
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
    """Return the dice in order. The results are cached, so pass at most six dice."""
    return tuple(sorted(dice, key=FACES.index))


def _list_keeps(showing: Dice) -> Mapping[Dice, int]:
    """Return every keep of these dice, with its points (ROGUE-4, ROGUE-5, ROGUE-7, ROGUE-9, ROGUE-11)."""
    has_rogue = showing.count(CRITTER) == 1
    keeps = {}
    for sizes in product(*(_set_sizes(showing.count(face)) for face in FACES)):
        dice, points = _score_sets(sizes)
        if dice:
            keeps[dice] = points
        if has_rogue:
            keeps[dice + ROGUE] = 2 * points
    if showing == RUN:
        keeps[RUN] = RUN_POINTS
    return keeps


@cache
def _score_sets(sizes: tuple[int, ...]) -> tuple[Dice, int]:
    """Return the dice of sets of these sizes, one for each face, and their points."""
    dice = tuple(face for face, size in zip(FACES, sizes, strict=True) for _ in range(size))
    return dice, sum(CHART[face][size] for face, size in zip(FACES, sizes, strict=True))


def _set_sizes(count: int) -> tuple[int, ...]:
    """Return how many of `count` equal dice can form a set: none, or two or more (ROGUE-16, ROGUE-17)."""
    return (0, *range(2, count + 1))


# The keeps of each roll; the keys are the dice in order.
KEEPS: Mapping[Dice, Mapping[Dice, int]] = {
    showing: _list_keeps(showing)
    for size in range(1, DICE + 1)
    for showing in combinations_with_replacement(FACES, size)
}


def get_best_keep(showing: Dice) -> Dice:
    """Return the keep with the most points, for dice that have a keep."""
    keeps = KEEPS[showing]
    return max(keeps, key=keeps.__getitem__)

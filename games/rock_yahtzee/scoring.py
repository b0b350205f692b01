"""The points of five dice in each box, as a table of the 252 possible rolls; look dice up in any order.

Terms: a *row* has the points of the thirteen boxes, in the order of `BOXES`. All orders of the same five dice share
one row. The Yahtzee column has the points of a first Yahtzee by the rule book. A ruleset may change them; then it only
matters whether the column is 0.

Derived: `PAPER_POINTS`, the possible points of each box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations_with_replacement, product

from games.core.dice import PIPS
from games.rock_yahtzee.boxes import BOXES

Dice = tuple[int, ...]
Row = tuple[int, ...]

DICE = 5
FULL_HOUSE = 25
SMALL_STRAIGHT = 30
LARGE_STRAIGHT = 40
FIRST_YAHTZEE = 50


def _row(dice: Dice) -> Row:
    """Score sorted dice in every box by its pattern (ROCK-7, ROCK-9 to 15, ROCK-17, ROCK-23, ROCK-24)."""
    counts = Counter(dice)
    alike = sorted(counts.values(), reverse=True)
    total = sum(dice)
    in_a_row = _longest_run(counts)
    return (
        *(face * counts[face] for face in PIPS),
        total if alike[0] >= 3 else 0,
        total if alike[0] >= 4 else 0,
        FULL_HOUSE if alike == [3, 2] else 0,
        SMALL_STRAIGHT if in_a_row >= 4 else 0,
        LARGE_STRAIGHT if in_a_row == 5 else 0,
        FIRST_YAHTZEE if alike == [5] else 0,
        total,
    )


def _longest_run(faces: Mapping[int, int]) -> int:
    longest = run = 0
    for face in PIPS:
        run = run + 1 if face in faces else 0
        longest = max(longest, run)
    return longest


_ROW_OF_SORTED = {dice: _row(dice) for dice in combinations_with_replacement(PIPS, DICE)}

ROWS: Mapping[Dice, Row] = {dice: _ROW_OF_SORTED[tuple(sorted(dice))] for dice in product(PIPS, repeat=DICE)}

# 0 is always possible, even for chance, because a box may be given up on paper (ROCK-29).
PAPER_POINTS: Mapping[str, tuple[int, ...]] = {
    box.word: tuple(sorted({0, *(row[column] for row in _ROW_OF_SORTED.values())})) for column, box in enumerate(BOXES)
}

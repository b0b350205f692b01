"""The six dice as counts: how many are below the gear, equal to it and above it, which is all that matters.

Terms: *counts* are two numbers, dice below and dice equal, of the dice that lie on the table; the others are above.
Where include applies or cannot be declared any more, no dice count as equal: they are then below or above. A *table*
has a value for counts. In a *stage* a certain number of dice is kept, and the others are still to be thrown.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import factorial

from games.core.dice import PIPS
from games.grand_prix.scoring import DICE

Counts = tuple[int, int]
Table = dict[Counts, float]


@cache
def list_counts(dice: int, has_equal: bool) -> tuple[Counts, ...]:
    """Return all counts of so many dice."""
    return tuple((below, equal) for below in range(dice + 1) for equal in range(dice - below + 1 if has_equal else 1))


@cache
def get_chances(gear: int, with_include: bool, has_equal: bool) -> tuple[float, float, float]:
    """Return the chances of one die to be below, equal and above."""
    below = sum(face < gear + with_include for face in PIPS) / len(PIPS)
    equal = sum(face == gear for face in PIPS) / len(PIPS) if has_equal else 0.0
    return below, equal, 1 - below - equal


@cache
def list_throws(gear: int, with_include: bool, has_equal: bool) -> Mapping[Counts, float]:
    """Return the chance of each counts of a throw of all six dice."""
    below, equal, above = get_chances(gear, with_include, has_equal)
    chances = {}
    for few, same in list_counts(DICE, has_equal):
        rest = DICE - few - same
        ways = factorial(DICE) // (factorial(few) * factorial(same) * factorial(rest))
        chances[few, same] = ways * below**few * equal**same * max(above, 0.0) ** rest
    return chances


def average_kept(table: Table, gear: int, with_include: bool, has_equal: bool) -> list[Table]:
    """Return for each number of dice kept the table of the mean after the others are thrown, one die at a time.

    Args:
        table: the values of all six dice.
        gear: the gear of the turn.
        with_include: whether include applies to the throw.
        has_equal: whether dice equal to the gear are counted by themselves.
    """
    below, equal, above = get_chances(gear, with_include, has_equal)
    stages = [table]
    for dice in range(DICE - 1, -1, -1):
        after = stages[-1]
        if has_equal:
            means = {
                (few, same): below * after[few + 1, same] + equal * after[few, same + 1] + above * after[few, same]
                for few, same in list_counts(dice, True)
            }
        else:
            means = {(few, 0): below * after[few + 1, 0] + above * after[few, 0] for few in range(dice + 1)}
        stages.append(means)
    return stages[::-1]


def find_best_kept(stages: list[Table]) -> Table:
    """Return for each counts of six dice the lowest mean, if at least one of them is thrown again."""
    best = stages[0]
    for dice in range(1, DICE):
        best = {
            counts: min(mean, *[best[fewer] for fewer in _list_without_one(counts, dice)])
            for counts, mean in stages[dice].items()
        }
    return {counts: min([best[fewer] for fewer in _list_without_one(counts, DICE)]) for counts in stages[DICE]}


@cache
def _list_without_one(counts: Counts, dice: int) -> tuple[Counts, ...]:
    """Return the counts that are left of so many dice without one of them."""
    below, equal = counts
    fewer = []
    if below:
        fewer.append((below - 1, equal))
    if equal:
        fewer.append((below, equal - 1))
    if below + equal < dice:
        fewer.append((below, equal))
    return tuple(fewer)

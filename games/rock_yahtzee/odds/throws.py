"""Keeping dice and throwing the others, for all dice at once.

Terms: *kept* is a sorted tuple of up to five dice; five kept dice are final. The kept dice of one size are numbered in
the order of `KEPT[size]`, and a list of figures for that size has one entry for each.

Two things make this small: dice are thrown one at a time, since the order of throwing changes nothing; and the best
dice to keep are either all of those at hand or the best of those that are left after dropping one. Both take one step
for each pair of kept dice that differ by one die, instead of one for each pair of keep and throw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import itemgetter
from typing import Any, TypeVar

from games.core.dice import PIPS
from games.rock_yahtzee.scoring import DICE

N = TypeVar("N", int, float)

Kept = tuple[int, ...]
Getter = Callable[[Sequence[Any]], Sequence[Any]]

KEPT: tuple[tuple[Kept, ...], ...] = tuple(tuple(combinations_with_replacement(PIPS, size)) for size in range(DICE + 1))
FINAL = KEPT[DICE]
NUMBER: dict[Kept, int] = {kept: number for size in KEPT for number, kept in enumerate(size)}
ORDERS = tuple(
    factorial(DICE) // prod(factorial(dice.count(face)) for face in PIPS) for dice in FINAL
)  # how many of the 7,776 throws of five dice show these


def add_die(kept: Kept, face: int) -> Kept:
    """Return the kept dice with one more."""
    return tuple(sorted((*kept, face)))


def drop_die(kept: Kept, face: int) -> Kept:
    """Return the kept dice without one of those that show the face."""
    at = kept.index(face)
    return kept[:at] + kept[at + 1 :]


def _getter(numbers: Sequence[int]) -> Getter:
    """Return a function that picks these entries of a list, also if it is just one."""
    if len(numbers) == 1:
        only = numbers[0]
        return lambda figures: (figures[only],)
    return itemgetter(*numbers)


# For each size and each kept dice of it, the numbers of the kept dice with one more die that shows 1, 2, ...
ADDING_ONE: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(NUMBER[add_die(kept, face)] for face in PIPS) for kept in size) for size in KEPT[:DICE]
)
# The same as getters, one for each face, for lists of one size at once.
WITH_ONE_MORE: tuple[tuple[Getter, ...], ...] = tuple(
    tuple(map(_getter, zip(*size, strict=True))) for size in ADDING_ONE
)
# For each size and each kept dice of it, the numbers of the kept dice that dropping one die leaves.
DROPPING_ONE: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(NUMBER[drop_die(kept, face)] for face in sorted(set(kept))) for kept in size) for size in KEPT
)
# The same as getters, for lists of one size at once: together they drop every face that shows.
WITH_ONE_LESS: tuple[tuple[Getter, ...], ...] = tuple(
    tuple(_getter([less[min(place, len(less) - 1)] for less in DROPPING_ONE[size]]) for place in range(size))
    for size in range(DICE + 1)
)


def throw(final: list[N], join: Callable[[Iterable[tuple[N, N, N, N, N, N]]], list[N]]) -> list[list[N]]:
    """Return for each size of kept dice, from 0 to 4, the figures of throwing the other dice once.

    Args:
        final: the figure of each five dice after that throw.
        join: makes figures before a die is thrown from those for each of its six faces.
    """
    sizes = [final]
    for more in reversed(WITH_ONE_MORE):
        one, two, three, four, five, six = (get(sizes[-1]) for get in more)
        sizes.append(join(zip(one, two, three, four, five, six, strict=True)))
    return sizes[:0:-1]


def list_kept(dice: Kept) -> list[Kept]:
    """Return all dice that can be kept of five, but not all five (ROCK-4): more dice first, then smaller faces."""
    found = {dice}
    ordered = []
    for _ in range(DICE):
        found = {drop_die(kept, face) for kept in found for face in kept}
        ordered.extend(sorted(found))
    return ordered


# For each final dice, the sizes and numbers of what can be kept, in the order that settles ties.
CAN_KEEP: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((len(kept), NUMBER[kept]) for kept in list_kept(dice)) for dice in FINAL
)

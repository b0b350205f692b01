"""The chances of the sums that dice show, as points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from games.dice_run.state import Setup

Chances = Mapping[int, float]  # by points, which ascend


def get_sign(setup: Setup) -> int:
    """Return what a sum is multiplied by to make points of it."""
    return -1 if setup.goal == "low" else 1


@lru_cache
def _count_ways(dice: int, faces: int) -> tuple[int, ...]:
    """Return how many of the possible throws show each sum, from the lowest to the highest."""
    ways = [1]
    for _ in range(dice):
        wider = [0] * (len(ways) + faces - 1)
        for less, count in enumerate(ways):
            for more in range(faces):
                wider[less + more] += count
        ways = wider
    return tuple(ways)


@lru_cache
def get_throw(setup: Setup) -> Chances:
    """Return the chances of the points of one throw."""
    ways, sign = _count_ways(setup.dice, setup.faces), get_sign(setup)
    every = setup.faces**setup.dice
    chances = {sign * (setup.lowest + index): count / every for index, count in enumerate(ways)}
    return dict(sorted(chances.items()))


@lru_cache
def get_best_of(setup: Setup, throws: int) -> Chances:
    """Return the chances of the points of the best of so many throws, 1 or more."""
    if throws == 1:
        return get_throw(setup)
    ways, found, below = _count_ways(setup.dice, setup.faces), {}, 0
    points = list(get_throw(setup))
    every = setup.faces ** (setup.dice * throws)
    for value, count in zip(points, ways, strict=True):  # there are as many ways for a sum as for its mirror image
        chance = ((below + count) ** throws - below**throws) / every
        found[value], below = chance, below + count
    return found


def get_best_with(setup: Setup, points: int, throws: int) -> Chances:
    """Return the chances of the best of these points and of so many throws."""
    found = {points: 0.0}
    for value, chance in get_best_of(setup, throws).items():
        kept = max(points, value)
        found[kept] = found.get(kept, 0.0) + chance
    return dict(sorted(found.items()))

"""Many chances in one whole number, so that one addition adds them all.

Terms: a *lane* is a fixed number of bytes in the number; lane 0 is the lowest. Each lane holds a chance as a whole
number of equally likely throws, so nothing is ever rounded. The highest bit of every lane stays 0, since `find_best`
needs it.

The lane with index n holds the chance of n + 1 or more points still to come. The chance of no points or more is 1
and has no lane.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.core.dice import PIPS
from games.rock_yahtzee.scoring import DICE

BYTES = 5  # of a lane, for each turn that is left: 6 ** 15 has 39 bits
THROWS = len(PIPS) ** (3 * DICE)  # equally likely results of the fifteen dice that a turn may throw


class Lanes:
    """How lanes are laid out: their number of bytes and how many there are.

    Attributes:
        bits: the bits of a lane.
        guards: the number whose lanes have only the highest bit.
        ones: the number whose lanes are all 1.
    """

    def __init__(self, width: int, count: int):
        self.bits = 8 * width
        self.ones = int.from_bytes((b"\1" + bytes(width - 1)) * count, "little")
        self.guards = self.ones << (self.bits - 1)

    def maximum(self, one: int, other: int) -> int:
        """Return the larger of each two lanes."""
        if one < other:
            one, other = other, one
        difference = (one | self.guards) - other
        larger = difference & self.guards  # the guard survives where `one` is at least as large
        if larger == self.guards:
            return one
        return other + (difference & (larger - (larger >> (self.bits - 1))))

    def find_best(self, own: Sequence[int], others: Sequence[int], indexes: Sequence[Sequence[int]]) -> list[int]:
        """Return for each number of `own` the largest of each lane in it and in some of the others.

        The steps are those of `maximum`, without a call for each, since they are most of the work, and with the guards
        left in from step to step. The largest number comes first: it is often the larger one in every lane.

        Args:
            own: one number of lanes for each result.
            others: more numbers of lanes.
            indexes: for each result, which of the others count.
        """
        guards, shift = self.guards, self.bits - 1
        found = []
        for lanes, counting in zip(own, indexes, strict=True):
            candidates = [lanes, *[others[index] for index in counting]]
            first = max(candidates)
            best = first | guards
            for other in candidates:
                if other is first:
                    continue
                difference = best - other
                larger = difference & guards
                if larger != guards:
                    best = (other | guards) + (difference & (larger - (larger >> shift)))
            found.append(best ^ guards)
        return found

    def add_points(self, chances: int, points: int, certain: int) -> int:
        """Return the chances with points that are scored for certain, in units of which `certain` are a chance of 1."""
        shift = points * self.bits
        return (chances << shift) | ((self.ones & ((1 << shift) - 1)) * certain)


def read_lane(chances: int, lane: int, width: int) -> int:
    """Return one lane of this number of bytes."""
    return (chances >> (8 * width * lane)) & ((1 << (8 * width)) - 1)


def widen(lanes: int, width: int, count: int, wider: int) -> int:
    """Return the same lanes with more bytes each."""
    if not count:
        return 0
    data = lanes.to_bytes(width * count, "little")
    room = bytes(wider - width)
    return int.from_bytes(room.join([data[at : at + width] for at in range(0, len(data), width)]), "little")

"""The result of a move: how far the dice drive the car, the sections that it missed, and its place.

Terms: spaces are numbered from 1. The *flag* is position 0 before the first space, and the position behind the last
(GP-14). A section is *missed* if the car passed over all of it.

Invariant: a car only moves forward, so the sections that a move misses lie between the section that the car left and
the section that it reached. No other move can miss them again (GP-16).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

Dice = tuple[int, ...]

DICE = 6
WON = 0
NOT_FINISHED = 20


class Circuit(NamedTuple):
    """A circuit, as the rules read it.

    Attributes:
        name: the name of the circuit.
        time: the length of the time track, which is the number of turns (GP-2).
        damage: the length of the damage track (GP-7).
        flag: the position of the chequered flag at the end (GP-14).
        ends: the last space of each section except the last.
    """

    name: str
    time: int
    damage: int
    flag: int
    ends: tuple[int, ...]


def make_circuit(name: str, time: int, damage: int, sections: Iterable[int]) -> Circuit:
    """Return the circuit; `sections` has the number of spaces of each section, in driving order (GP-5)."""
    *ends, last = accumulate(sections)
    return Circuit(name, time, damage, last + 1, tuple(ends))


def count_spaces(dice: Sequence[int], gear: int, with_include: bool) -> int:
    """Return how far the dice drive the car: those below the gear, and with include those equal to it (GP-4, GP-10)."""
    return bisect_left(sorted(dice), gear + with_include)


def count_missed(circuit: Circuit, left: int, reached: int) -> int:
    """Return how many sections a move from one position to another has missed (GP-6).

    The flag counts as part of the sections next to it, so those two are never missed (GP-5).
    """
    return max(0, bisect_left(circuit.ends, reached) - bisect_left(circuit.ends, left) - 1)


def get_place(circuit: Circuit, position: int, unused: int, is_time_up: bool) -> int | None:
    """Return the place of a car after its damage, or None if it drives on (GP-7 to GP-9, GP-15, GP-16).

    Args:
        circuit: the circuit that it drives on.
        position: its current position.
        unused: what is left of the damage track; negative if the damage did not fit.
        is_time_up: whether this was the last turn.
    """
    if unused < 0:
        return NOT_FINISHED
    if position >= circuit.flag:
        return WON
    return circuit.flag - position if is_time_up else None

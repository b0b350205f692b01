"""What a move comes to: how far the dice drive the car, what it passed without landing, and the place.

Terms: spaces are numbered from 1, the *flag* is position 0 before the first of them and the position behind the last
(GP-14). A section is *missed* when the car went over the whole of it.

Invariant: a car only moves forward, so the sections that one move misses lie between the section it left and the
section it reached; no other move can miss them again (GP-16).
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
        name: what people call it.
        time: spaces of the time track, which is the number of turns (GP-2).
        damage: spaces of the damage track (GP-7).
        flag: the position of the chequered flag at the end (GP-14).
        ends: the last space of each section, without that of the last section.
    """

    name: str
    time: int
    damage: int
    flag: int
    ends: tuple[int, ...]


def make_circuit(name: str, time: int, damage: int, sections: Iterable[int]) -> Circuit:
    """Return the circuit whose sections have so many spaces, in driving order (GP-5)."""
    *ends, last = accumulate(sections)
    return Circuit(name, time, damage, last + 1, tuple(ends))


def count_spaces(dice: Sequence[int], gear: int, with_include: bool) -> int:
    """Return how far the dice drive the car: those below the gear, with include those equal to it too (GP-4, GP-10)."""
    return bisect_left(sorted(dice), gear + with_include)


def count_missed(circuit: Circuit, left: int, reached: int) -> int:
    """Return how many sections a move from one position to another has missed (GP-6).

    The flag counts as a part of the section beside it, so that those two are never missed (GP-5).
    """
    return max(0, bisect_left(circuit.ends, reached) - bisect_left(circuit.ends, left) - 1)


def get_place(circuit: Circuit, position: int, unused: int, is_time_up: bool) -> int | None:
    """Return the place of a car after its damage, or None while it drives on (GP-7 to GP-9, GP-15, GP-16).

    Args:
        circuit: where it drives.
        position: where it stands now.
        unused: what is left of the damage track; negative when the damage did not fit.
        is_time_up: whether this was the last turn.
    """
    if unused < 0:
        return NOT_FINISHED
    if position >= circuit.flag:
        return WON
    return circuit.flag - position if is_time_up else None

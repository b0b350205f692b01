"""Sets of unused counters as bits, and what they can reach: as fast as possible, for the recursion.

Terms: a *set* is a whole number with a bit for each unused counter: bit 0 for counter 2, bit 10 for counter 12.
"""

from __future__ import annotations

from functools import cache

from games.drag_rage.state import COUNTERS, Counters

LOWEST = COUNTERS[0]
SETS = 1 << len(COUNTERS)


def write_set(unused: Counters) -> int:
    """Return unused counters as a set."""
    return sum(1 << counter - LOWEST for counter in unused)


def read_set(unused: int) -> tuple[int, ...]:
    """Return the counters of a set, in ascending order."""
    return tuple(counter for counter in COUNTERS if unused >> counter - LOWEST & 1)


@cache
def list_sums(unused: int) -> tuple[int, ...]:
    """Return for each number of counters, from 0 on, the sums that so many of the set can have, as bits."""
    if not unused:
        return (1,)
    lowest = unused & -unused
    counter, without = lowest.bit_length() - 1 + LOWEST, list_sums(unused ^ lowest)
    with_it = (0, *(sums << counter for sums in without))
    return tuple(sums | more for sums, more in zip((*without, 0), with_it, strict=True))

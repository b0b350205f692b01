"""The values of the moments with nine unused counters, from which those with ten and eleven follow at once.

Without them the first question at the start of a heat would take most of a minute. They take up 36 kB, are the very
numbers that the recursion calculates, and were made by `python -m tools.odds_tables drag_rage`.
"""

from __future__ import annotations

from base64 import b85decode
from struct import Struct

from games.drag_rage.odds.choices import list_next
from games.drag_rage.odds.opening_values import PACKED
from games.drag_rage.odds.unused import write_set
from games.drag_rage.state import FinishedHeat, Heat, has_crossed

UNUSED = 9
ROW = Struct("<Id")  # key and value

Moment = tuple[int, int, int, bool, bool, int]  # the arguments of `make_key`


def read_openings() -> dict[int, float]:
    """Return the values by key."""
    return dict(ROW.iter_unpack(b85decode(PACKED)))


def pack_values(values: dict[int, float]) -> bytes:
    """Return values by key in the form that `read_openings` reads."""
    return b"".join(ROW.pack(*row) for row in sorted(values.items()))


def list_moments(unused: int) -> set[Moment]:
    """Return all moments with so many unused counters that a heat can come to, for the seat that must advance."""
    start = Heat(0)
    seen, stack, found = {start}, [start], set[Moment]()
    while stack:
        heat = stack.pop()
        car, other = heat.cars[heat.to_act], heat.cars[1 - heat.to_act]
        if len(heat.unused) == unused and not has_crossed(car) and not has_crossed(other):
            lead, left = car.played - other.played, write_set(heat.unused)
            for has_nitro in {car.has_nitro, car.has_nitro and heat.due != "after_hold"}:  # turned in (DRAG-7)
                found.add((car.space, other.space, lead, has_nitro, other.has_nitro, left))
            found.add((other.space, car.space, -lead, other.has_nitro, car.has_nitro, left))
        for after in list_next(heat):
            if not isinstance(after, FinishedHeat) and len(after.unused) >= unused and after not in seen:
                seen.add(after)
                stack.append(after)
    return found

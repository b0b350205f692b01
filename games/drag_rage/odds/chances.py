"""The chance that a challenged car spins out (DRAG-5, DRAG-6)."""

from __future__ import annotations

from itertools import product

from games.core.dice import PIPS
from games.drag_rage.state import ALL_DICE, COUNTERS, FREE_DICE


def _list_chances(dice: int) -> tuple[float, ...]:
    totals = [sum(faces) for faces in product(PIPS, repeat=dice)]
    return tuple(sum(total < counter for total in totals) / len(totals) for counter in range(COUNTERS[-1] + 1))


# By the counter moved: with the two free dice, and with the nitro die as well.
SPIN_OUT, SPIN_OUT_WITH_NITRO = _list_chances(FREE_DICE), _list_chances(ALL_DICE)

"""The points of a turn that is played for its expected points, with the chance of each.

Such a turn is always rolled on until nothing is left to roll or to set aside, because that never risks points
(ROGUE-22). Between equally good choices it sets aside fewer dice, and then takes more points.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from games.core.odds import find_best
from games.rogue.odds.values import ALL_WAYS, ROLLS, Gain, Progress, get_best_points, set_aside
from games.rogue.scoring import DICE


class TurnChances(NamedTuple):
    """The chances of each end of a turn.

    Attributes:
        full: the chances of the points of turns that have used all six dice as part of the score (ROGUE-12).
        other: those of all other turns, except a rogue out.
        rogue_out: the chance of a rogue out (ROGUE-15).
    """

    full: Mapping[int, float]
    other: Mapping[int, float]
    rogue_out: float


@cache
def get_turn_chances() -> TurnChances:
    """Return the chances of a whole turn."""
    full: defaultdict[int, float] = defaultdict(float)
    other: defaultdict[int, float] = defaultdict(float)
    rogue_out = 0.0
    reached: defaultdict[Progress, float] = defaultdict(float, {Progress(): 1.0})
    # Dice are only ever set aside, so by the dice left, from six on, every state comes after those that lead to it.
    for left in range(DICE, 0, -1):
        for progress in [progress for progress in reached if progress.left == left]:
            chance = reached.pop(progress) / ALL_WAYS[left]
            for gains, ways in ROLLS[left]:
                after = set_aside(progress, _choose(progress, gains)) if gains else progress
                if after is None:
                    rogue_out += chance * ways
                elif not gains:
                    other[after.points] += chance * ways
                elif after.left:
                    reached[after] += chance * ways
                else:
                    (full if after.is_full else other)[after.points] += chance * ways
    return TurnChances(dict(sorted(full.items())), dict(sorted(other.items())), rogue_out)


def _choose(progress: Progress, gains: tuple[Gain, ...]) -> Gain:
    best = get_best_points()
    return gains[find_best([best.get_kept(progress, gain) for gain in gains])]

"""Best play of one turn, for any worth of its end, and the expected points that it comes to.

Terms: a turn is *full* if it has used all six dice as part of the score, which can earn an additional turn; a rogue set
aside alone *spoils* that (ROGUE-12). A *gain* is what a turn gets by setting dice aside.

What a turn can still come to depends on three facts only: its points, its dice left, and whether it is spoiled. Points
matter because a rogue on the last die doubles them (ROGUE-8). A turn of best play meets some 300 such states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from math import factorial, prod
from typing import NamedTuple

from games.rogue.scoring import DICE, FACES, KEEPS, ROGUE, Dice
from games.rogue.state import Turn


class Gain(NamedTuple):
    """What setting dice aside changes: how many dice, their points, and whether it is a rogue alone (ROGUE-9)."""

    dice: int
    points: int
    is_rogue: bool


class Roll(NamedTuple):
    """Rolls that allow the same gains, and how many of the equally likely rolls they are.

    The gains are in the order that settles ties: fewer dice first, then more points.
    """

    gains: tuple[Gain, ...]
    ways: int


class Progress(NamedTuple):
    """A turn before a roll, or at its end, as far as the rest of it depends on it."""

    points: int = 0
    left: int = DICE
    is_spoiled: bool = False

    @property
    def is_full(self) -> bool:
        """Whether all six dice are part of the score."""
        return self.left == 0 and not self.is_spoiled


# What a turn is worth that ends with these points, and is full or not.
Worth = Callable[[int, bool], float]


def get_progress(turn: Turn) -> Progress:
    """Return the turn without the dice that are showing."""
    return Progress(turn.points, turn.left, turn.rogues > 0)


def make_gain(showing: Dice, kept: Dice) -> Gain:
    """Return what setting these dice aside changes."""
    return Gain(len(kept), KEEPS[showing][kept], kept == ROGUE)


def set_aside(progress: Progress, gain: Gain) -> Progress | None:
    """Return the turn after setting dice aside; None if that was the sixth rogue in a row (ROGUE-24)."""
    points, left, is_spoiled = progress
    if left == 1:
        # Any set scores, so a turn without points has set aside nothing but rogues.
        return Progress(points * 2, 0, is_spoiled) if points else None
    return Progress(points + gain.points, left - gain.dice, is_spoiled or gain.is_rogue)


def _list_rolls(size: int) -> tuple[Roll, ...]:
    counts: Counter[tuple[Gain, ...]] = Counter()
    for showing, keeps in KEEPS.items():
        if len(showing) == size:
            gains = {make_gain(showing, kept) for kept in keeps}
            in_order = sorted(gains, key=lambda gain: (gain.dice, -gain.points))
            counts[tuple(in_order)] += factorial(size) // prod(factorial(showing.count(face)) for face in FACES)
    return tuple(Roll(gains, ways) for gains, ways in counts.items())


# By the number of dice rolled: 1 to 6 dice fall into 362 groups of rolls.
ROLLS: Mapping[int, tuple[Roll, ...]] = {size: _list_rolls(size) for size in range(1, DICE + 1)}

ALL_WAYS: Mapping[int, int] = {size: sum(roll.ways for roll in rolls) for size, rolls in ROLLS.items()}


class BestTurn:
    """Best play of a turn whose end has this worth.

    Args:
        worth: what a turn is worth at its end.
        rogue_out: what a rogue out is worth (ROGUE-15).
    """

    def __init__(self, worth: Worth, rogue_out: float):
        self._worth = worth
        self._rogue_out = rogue_out
        self._rolled: dict[Progress, float] = {}

    def get_end(self, progress: Progress) -> float:
        """Return the worth of ending the turn here."""
        return self._worth(progress.points, progress.is_full)

    def get_roll(self, progress: Progress) -> float:
        """Return the value of rolling the dice left, of which there is at least one."""
        found = self._rolled.get(progress)
        if found is None:
            found = self._rolled[progress] = self._roll(progress)
        return found

    def get_kept(self, progress: Progress, gain: Gain) -> float:
        """Return the value of setting dice aside, and then rolling on or ending the turn."""
        after = set_aside(progress, gain)
        if after is None:
            return self._rogue_out
        if not after.left:
            return self.get_end(after)
        return max(self.get_end(after), self.get_roll(after))

    def _roll(self, progress: Progress) -> float:
        left = progress.left
        end = self.get_end(progress)  # after a roll with nothing to set aside (ROGUE-3)
        total = 0.0
        for gains, ways in ROLLS[left]:
            total += ways * max([self.get_kept(progress, gain) for gain in gains], default=end)
        return total / ALL_WAYS[left]


def _count_points(points: int, is_full: bool) -> float:
    return float(points)


@cache
def get_best_points() -> BestTurn:
    """Return best play for the expected points of the turn, in which a rogue out counts 0."""
    return BestTurn(_count_points, 0.0)

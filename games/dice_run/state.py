"""The state of one score sheet: the turns that have ended, and the throws of the running turn.

Invariants:

- `throws` is empty before a turn's first throw, and has fewer throws than a turn may have.
- The points of a turn are what it is worth, so a missed turn has those of DICE-11.

Derived: the total, the order of the seats and the number of missed turns all follow from `turns`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from games.core.sheet import Turn

Dice = tuple[int, ...]
Goal = Literal["high", "low", "target"]


class Setup(NamedTuple):
    """The options, as the rules read them.

    Attributes:
        turns: how many turns a sheet has (DICE-2).
        dice: how many dice are thrown at once (DICE-3).
        faces: how many faces each die has (DICE-3).
        throws: how many throws a turn has at most (DICE-4).
        best_throw: whether the best throw of a turn counts instead of the last (DICE-6).
        goal: which total wins (DICE-8 to DICE-10).
        target: the total to come close to; 0 with another goal.
        counts: how many turns are added, the best ones (DICE-7). As many as there are turns: all of them.
        cuts_cards: whether ties are broken by cutting cards (DICE-15).
    """

    turns: int
    dice: int
    faces: int
    throws: int
    best_throw: bool
    goal: Goal
    target: int
    counts: int
    cuts_cards: bool

    @property
    def lowest(self) -> int:
        """The lowest sum that the dice can show."""
        return self.dice

    @property
    def highest(self) -> int:
        """The highest sum that the dice can show."""
        return self.dice * self.faces

    @property
    def missed(self) -> int:
        """What a missed turn is worth (DICE-11)."""
        return self.highest if self.goal == "low" else 0


class Sheet(NamedTuple):
    """The state of one seat."""

    turns: tuple[Turn, ...] = ()
    throws: tuple[Dice, ...] = ()


def get_turn_points(setup: Setup, sums: Iterable[int]) -> int:
    """Return what a turn with throws of these sums is worth, in the order in which they were thrown (DICE-6)."""
    if setup.best_throw:
        return min(sums) if setup.goal == "low" else max(sums)
    *_, last = sums
    return last


def add_up(setup: Setup, points: list[int]) -> int:
    """Return the total of ended turns that are worth so many points each (DICE-7)."""
    if len(points) <= setup.counts:
        return sum(points)
    return sum(sorted(points, reverse=setup.goal != "low")[: setup.counts])


def get_total(setup: Setup, sheet: Sheet) -> int:
    """Return the total so far (DICE-7)."""
    return add_up(setup, [turn.points for turn in sheet.turns])


def count_missed(sheet: Sheet) -> int:
    """Return the number of missed turns (DICE-11)."""
    return sum(turn.how == "missed" for turn in sheet.turns)


def make_key(setup: Setup, ended: int, missed: int, total: int) -> tuple[int, int, int]:
    """Return what ranking compares, the larger the better (DICE-19)."""
    if setup.goal == "high":
        return (0, 0, total)
    if setup.goal == "low":
        return (ended, 0, -total)
    return (ended, -missed, -abs(total - setup.target))

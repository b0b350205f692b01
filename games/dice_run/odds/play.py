"""Best play where a turn may stop after any of its throws and the last one counts.

Terms: a *future* is what still matters of the turns that have ended: how many turns are left, and the points of those
counted turns that a better turn can still push out (DICE-7), the worst first. Nothing else of them matters for the
value, so 5 turns of which 3 count have 1,000 futures or so; if all turns count there is one for each number of turns.
For the chance of a target, the sum of the counted turns matters too.

A *stage* is the figure of throwing again, for 1, 2, ... throws that may still be taken. A player stops if that is no
worse.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from games.core.odds import SAME
from games.core.time_limit import OutOfTime, TimeLimit
from games.dice_run.odds.throws import get_sign, get_throw
from games.dice_run.state import Setup

MOST_KNOWN = 1_000_000  # figures that are kept of one game or of one target; more would take too much memory

Low = tuple[int, ...]  # the points that can still be pushed out, the worst first


class Future(NamedTuple):
    """What still matters of the turns that have ended.

    Attributes:
        left: how many turns are still to come.
        low: the points of the counted turns that can still be pushed out, the worst first.
        total: the points of all counted turns.
    """

    left: int
    low: Low
    total: int


def start_future(setup: Setup, points: Sequence[int]) -> Future:
    """Return the future after turns with these points."""
    left = setup.turns - len(points)
    counted = sorted(points, reverse=True)[: setup.counts]
    replaceable = max(left - (setup.counts - len(counted)), 0)
    return Future(left, tuple(sorted(counted)[:replaceable]), sum(counted))


def add_turn(setup: Setup, future: Future, points: int) -> Future:
    """Return the future after one more turn."""
    left, low, total = future
    if setup.counts == setup.turns:
        return Future(left - 1, (), total + points)
    in_order = sorted((*low, points))
    if setup.turns - left < setup.counts:  # a place is free
        return Future(left - 1, tuple(in_order[: setup.turns - setup.counts]), total + points)
    return Future(left - 1, tuple(in_order[1:left]), total + points - in_order[0])


class Play(ABC):
    """The figures of futures under the best play for something: the more the better.

    Attributes:
        points: what a throw may bring, in ascending order.
        chances: the chance of each.
    """

    def __init__(self, setup: Setup):
        self.setup = setup
        throw = get_throw(setup)
        self.points, self.chances = tuple(throw), tuple(throw.values())
        self._known: dict[Future, float] = {}

    @abstractmethod
    def settle(self, future: Future) -> float | None:
        """Return the figure of a future if it is clear without a look at its turns, as it is at the end; else None."""

    def shift(self, future: Future) -> tuple[Future, float]:
        """Return a future with the same choices, and how much less its figure is: nothing, unless overridden."""
        return future, 0.0

    def get(self, future: Future, limit: TimeLimit) -> float:
        """Return the figure of a future before its next turn. Raises `OutOfTime`."""
        settled = self.settle(future)
        if settled is not None:
            return settled
        alike, more = self.shift(future)
        figure = self._known.get(alike)
        if figure is None:
            limit.check()
            if len(self._known) >= MOST_KNOWN:
                raise OutOfTime
            figure = self._known[alike] = self.list_stages(self.list_ends(alike, limit))[-1]
        return figure + more

    def list_ends(self, future: Future, limit: TimeLimit) -> list[float]:
        """Return the figure of ending the turn with each of `points`. Raises `OutOfTime`."""
        return [self.get(add_turn(self.setup, future, points), limit) for points in self.points]

    def list_stages(self, ends: Sequence[float]) -> list[float]:
        """Return the figures of throwing, by how many throws may still be taken, from 1 on."""
        stages = [sum(map(mul, self.chances, ends))]
        for _ in range(self.setup.throws - 1):
            again = stages[-1]
            stages.append(sum(map(mul, self.chances, (max(end, again) for end in ends))))
        return stages

    def list_turn_chances(self, future: Future, throws: int, limit: TimeLimit) -> list[float]:
        """Return the chance that best play ends the turn with each of `points`. Raises `OutOfTime`.

        Args:
            throws: how many throws may still be taken, one or more; the first of them is taken.
        """
        ends = self.list_ends(self.shift(future)[0], limit)
        found = list(self.chances)
        for again in self.list_stages(ends)[: throws - 1]:
            stops = [end >= again - SAME for end in ends]
            goes_on = sum(chance for chance, stop in zip(self.chances, stops, strict=True) if not stop)
            found = [
                (chance if stop else 0.0) + goes_on * later
                for chance, stop, later in zip(self.chances, stops, found, strict=True)
            ]
        return found


class TotalPlay(Play):
    """Best play for the points of the final total."""

    def settle(self, future: Future) -> float | None:
        return None if future.left else float(future.total)

    def shift(self, future: Future) -> tuple[Future, float]:
        return Future(future.left, future.low, 0), float(future.total)


class DistancePlay(Play):
    """Best play for a small expected distance from the target, as a negative figure (DICE-10)."""

    def settle(self, future: Future) -> float | None:
        return None if future.left else -float(abs(future.total - self.setup.target))


class ChancePlay(Play):
    """Best play for the chance that the final points are within limits."""

    def __init__(self, setup: Setup, least: int, most: int):
        super().__init__(setup)
        self.least, self.most = least, most

    def settle(self, future: Future) -> float | None:
        left, low, total = future
        free = max(self.setup.counts - (self.setup.turns - left), 0)
        worst = total + free * self.points[0]
        best = total + free * self.points[-1] + sum(max(self.points[-1] - points, 0) for points in low[: left - free])
        if best < self.least or worst > self.most:
            return 0.0
        return 1.0 if self.least <= worst and best <= self.most else None


@lru_cache(maxsize=4)
def get_value_play(setup: Setup) -> Play:
    """Return the best play by value, whose figures are kept for the next question."""
    return DistancePlay(setup) if setup.goal == "target" else TotalPlay(setup)


def follow(play: Play, start: Iterable[tuple[Future, float]], limit: TimeLimit) -> dict[int, float]:
    """Return the chances of the final points, if all turns are played for what `play` is about. Raises `OutOfTime`.

    Args:
        start: the futures before the next turn and their chances; as many turns are left in each of them.
    """
    states: dict[Future, float] = defaultdict(float)
    for future, chance in start:
        states[future] += chance
    while states and next(iter(states)).left:
        turns: dict[Future, list[float]] = {}
        after: dict[Future, float] = defaultdict(float)
        for future, chance in states.items():
            limit.check()
            alike, _ = play.shift(future)
            if alike not in turns:
                turns[alike] = play.list_turn_chances(alike, play.setup.throws, limit)
            for points, own in zip(play.points, turns[alike], strict=True):
                if own:
                    after[add_turn(play.setup, future, points)] += chance * own
        states = after
    totals: dict[int, float] = defaultdict(float)
    for future, chance in states.items():
        totals[future.total] += chance
    return dict(sorted(totals.items()))


def get_target_limits(setup: Setup, target: int) -> tuple[int, int]:
    """Return the least and the most final points that reach a target: a total, or with goal target a distance."""
    if setup.goal == "target":
        return setup.target - target, setup.target + target
    return get_sign(setup) * target, setup.turns * setup.highest

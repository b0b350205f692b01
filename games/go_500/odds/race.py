"""The segments of a course, solved from the last to the first, and remembered.

A segment's figures depend on its limit, the limits after it, the dice and the rerolls left, and on nothing that was
scored before. So they are the same for every rider and every race of a contest. Those of eight courses are kept.

Measured on the house course with two rerolls (CPU time): values 0.5 s and 22 MB; with targets 10 s and 107 MB; 1 ms for
every answer after that.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any, Generic, TypeVar

from games.core.time_limit import TimeLimit
from games.go_500.odds.chances import ByValuePlay, Played, Row, Tail, TargetPlay, Vector, make_nothing, make_row
from games.go_500.odds.house_starts import DICE, STARTS
from games.go_500.odds.segment import Play, Segment
from games.go_500.odds.throws import Kit, Limits, make_kit
from games.go_500.odds.values import ValuePlay
from games.go_500.state import Setup

F = TypeVar("F")


class Chain(Generic[F]):
    """Segments of a course with one kind of figures, each of which builds on those after it.

    Args:
        kit: the dice.
        limits: the speed limits of all segments.
        rerolls: for how many rerolls, at most.
    """

    def __init__(self, kit: Kit, limits: Limits, rerolls: int):
        self.kit = kit
        self.limits = limits
        self.rerolls = rerolls
        self._solved: dict[int, list[Segment[F]]] = {}

    def has(self, number: int, rerolls: int) -> bool:
        """Return whether this segment is solved already for so many rerolls."""
        return number in self._solved and rerolls <= self.rerolls

    def get(self, number: int, time: TimeLimit) -> list[Segment[F]]:
        """Return a segment, by the rerolls left.

        Raises:
            OutOfTime: it takes too long. What is solved by then is kept.
        """
        for place in reversed(range(number, self._count_needed(number))):
            if place not in self._solved:
                self._solved[place] = self._solve(place, self._make_play(place), time)
        return self._solved[number]

    def _count_needed(self, number: int) -> int:
        """Return how many segments are to be solved, from the first of the course, for the figures of this one."""
        return len(self.limits)

    @abstractmethod
    def _make_play(self, number: int) -> Play[F]:
        """Return what the figures of this segment are made of; those after it are solved."""

    def _solve(self, number: int, play: Play[F], time: TimeLimit) -> list[Segment[F]]:
        found: list[Segment[F]] = []
        for rerolls in range(self.rerolls + 1):
            fewer = found[-1] if found else None
            found.append(Segment(self.kit, self.limits[number], rerolls, play, fewer, time))
        for segment in found:
            segment.pack()
        return found


class ValueChain(Chain[float]):
    """The expected points under best play."""

    def _make_play(self, number: int) -> ValuePlay:
        following = self._solved.get(number + 1)
        return ValuePlay([segment.start for segment in following] if following else [0.0] * (self.rerolls + 1))


class HouseValueChain(ValueChain):
    """The same, with what is known of the segments that follow, if these are the dice and limits of a house course."""

    def _count_needed(self, number: int) -> int:
        return number + 1 if self._find_known(number + 1) else len(self.limits)

    def _make_play(self, number: int) -> ValuePlay:
        known = self._find_known(number + 1)
        return ValuePlay(known) if known else super()._make_play(number)

    def _find_known(self, number: int) -> tuple[float, ...]:
        """Return the values of a segment's start, by the rerolls left; nothing if they are not in the table."""
        known = STARTS.get(self.limits[number:], ()) if self.kit.dice == DICE else ()
        return known[: self.rerolls + 1] if len(known) > self.rerolls else ()


class TargetChain(Chain[Vector]):
    """The best chance of each total."""

    def __init__(self, kit: Kit, limits: Limits, rerolls: int):
        super().__init__(kit, limits, rerolls)
        self._rows: dict[int, Row] = {}
        self._from_below: dict[int, tuple[Row, list[Segment[Vector]]]] = {}

    def get_row(self, number: int) -> Row:
        """Return the totals that the vectors of a solved segment are about."""
        return self._rows[number]

    def get_from_below(self, number: int, time: TimeLimit) -> tuple[Row, list[Segment[Vector]]]:
        """Return a solved segment with lower totals too.

        They are certain from its start, where the player can choose to throw no dice, but perhaps not later.
        """
        if number not in self._from_below:
            following = self._list_following(number)
            row = make_row(self.kit, self.limits[number], self.rerolls, following, is_safe=False)
            self._from_below[number] = (row, self._solve(number, TargetPlay(row, following), time))
        return self._from_below[number]

    def _make_play(self, number: int) -> TargetPlay:
        following = self._list_following(number)
        row = make_row(self.kit, self.limits[number], self.rerolls, following, is_safe=True)
        self._rows[number] = row
        return TargetPlay(row, following)

    def _list_following(self, number: int) -> list[Tail]:
        if number + 1 == len(self.limits):
            return [make_nothing(self.kit)] * (self.rerolls + 1)
        return [Tail(self._rows[number + 1], segment.start).trim() for segment in self._solved[number + 1]]


class ByValueChain(Chain[Played]):
    """The chances of all totals under play by value."""

    def __init__(self, kit: Kit, limits: Limits, rerolls: int):
        super().__init__(kit, limits, rerolls)
        self._rows: dict[int, Row] = {}

    def get_row(self, number: int) -> Row:
        """Return the totals that the vectors of a solved segment are about."""
        return self._rows[number]

    def _make_play(self, number: int) -> ByValuePlay:
        following = self._list_following(number)
        row = make_row(self.kit, self.limits[number], self.rerolls, [tail for _, tail in following], is_safe=False)
        self._rows[number] = row
        return ByValuePlay(row, following)

    def _list_following(self, number: int) -> list[tuple[float, Tail]]:
        if number + 1 == len(self.limits):
            return [(0.0, make_nothing(self.kit))] * (self.rerolls + 1)
        row = self._rows[number + 1]
        return [(segment.start.value, Tail(row, segment.start.chances).trim()) for segment in self._solved[number + 1]]


C = TypeVar("C", bound=Chain[Any])


class Course:
    """All that is known of a course with these dice."""

    def __init__(self, kit: Kit, limits: Limits):
        self.kit = kit
        self._limits = limits
        self._chains: list[Chain[Any]] = []

    def get_chain(self, kind: type[C], number: int, rerolls: int) -> C:
        """Return the figures of this kind for so many rerolls, preferably those that are solved for this segment."""
        own = [chain for chain in self._chains if isinstance(chain, kind) and chain.rerolls >= rerolls]
        found = next((chain for chain in own if chain.has(number, rerolls)), None) or next(iter(own), None)
        if found is None:
            found = kind(self.kit, self._limits, rerolls)
            self._chains.append(found)
        return found


@lru_cache(maxsize=8)
def _get_course(kit: Kit, limits: Limits) -> Course:
    return Course(kit, limits)


def get_course(setup: Setup) -> Course:
    """Return the course of a ruleset, with its dice."""
    return _get_course(make_kit(setup), list_limits(setup))


def list_limits(setup: Setup) -> Limits:
    """Return the speed limits of all segments of the course."""
    return tuple(segment.limit for segment in setup.course.segments)

"""The chances of all totals that are still to come, as vectors, under play for a target and under play by value.

Terms: a *vector* gives for a row of numbers, one *step* apart, the chance that so many points or more are still to
come. Below its first number that is certain, above its last it is impossible, both to within `NEGLIGIBLE`.

Invariant: all scores are multiples of the step.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from math import comb
from operator import mul, sub
from typing import NamedTuple

from games.core.odds import SAME
from games.core.time_limit import OutOfTime
from games.go_500.kit import BLACK_DICE
from games.go_500.odds.segment import Play
from games.go_500.odds.throws import Kit
from games.go_500.odds.values import SETTLED
from games.go_500.scoring import ALL_CIRCLED, count_red_rolls

NEGLIGIBLE = 1e-12
MAX_LENGTH = 2000  # of a vector; longer ones take hours and much memory. The house kit's have up to 280


# A list while it is made, which is faster, and an array to be kept.
Vector = Sequence[float]


class Row(NamedTuple):
    """The numbers that a vector is about."""

    lowest: int
    length: int
    step: int

    @property
    def beyond(self) -> int:
        """The number that would follow the last one."""
        return self.lowest + self.length * self.step

    def get_chance(self, vector: Sequence[float], needed: int) -> float:
        """Return the chance of so many points or more."""
        index = -((self.lowest - needed) // self.step)  # rounded up: what is no multiple of the step is never hit
        if index < 0:
            return 1.0
        return vector[index] if index < self.length else 0.0


class Tail(NamedTuple):
    """A vector with its numbers."""

    row: Row
    vector: Vector

    def get_chance(self, needed: int) -> float:
        """Return the chance of so many points or more."""
        return self.row.get_chance(self.vector, needed)

    def move(self, row: Row, score: int) -> list[float]:
        """Return the vector after this score has been added, for other numbers."""
        offset = (row.lowest - score - self.row.lowest) // row.step
        certain = min(max(0, -offset), row.length)
        inside = list(self.vector[max(0, offset) : max(0, offset + row.length)])
        moved = [1.0] * certain + inside
        return moved + [0.0] * (row.length - len(moved))

    def trim(self) -> Tail:
        """Return the vector without the numbers that are certain or impossible."""
        vector, (lowest, length, step) = self.vector, self.row
        first = next((at for at, chance in enumerate(vector) if chance < 1 - NEGLIGIBLE), length)
        last = next((at for at in range(length, first, -1) if vector[at - 1] > NEGLIGIBLE), first)
        return Tail(Row(lowest + first * step, last - first, step), vector[first:last])


class Played(NamedTuple):
    """Figures of play by value: the expected points, their chances, and the dice that a choice has locked."""

    value: float
    chances: Vector
    black: tuple[int, ...] = ()
    green: tuple[int, ...] = ()


def make_nothing(kit: Kit) -> Tail:
    """Return the vector of a race without any segment left: nothing is still to come."""
    return Tail(Row(kit.step, 0, kit.step), [])


def make_row(kit: Kit, limit: int | None, rerolls: int, following: Sequence[Tail], *, is_safe: bool) -> Row:
    """Return the numbers for a segment.

    Args:
        kit: the dice.
        limit: the segment's speed limit.
        rerolls: how many rerolls are left.
        following: the vectors of the next segment's start.
        is_safe: whether lower numbers are certain as long as the player can choose to throw no dice. If not, they are
            certain whatever the player does.

    Raises:
        OutOfTime: there are far too many.
    """
    step = kit.step
    totals = _list_totals(kit)
    lowest = min(tail.row.lowest - step for tail in following)
    lowest += min(0, *_list_penalties(kit)) if is_safe else min(_find_lowest(kit, limit, total) for total in totals)
    length = (_find_highest(kit, rerolls, following, max(totals)) - lowest) // step + 1
    if length > MAX_LENGTH:
        raise OutOfTime
    return Row(lowest, length, step)


def _find_highest(kit: Kit, rerolls: int, following: Sequence[Tail], most: int) -> int:
    """Return a number that is reached with negligible chance, if one turn scores `most` points or 175 and a turn."""
    circles: list[float] = []
    while not circles or circles[-1] > NEGLIGIBLE:
        circles.append(comb(len(circles) + rerolls, rerolls) * kit.chance_of_circles ** len(circles))

    def is_negligible(steps: int) -> bool:
        number = steps * kit.step - most
        rest = [
            max(tail.get_chance(number - turns * ALL_CIRCLED) for tail in following) for turns in range(len(circles))
        ]
        return sum(map(mul, circles, rest), 0.0) <= 2 * NEGLIGIBLE

    lowest = min(tail.row.lowest for tail in following) // kit.step
    highest = (max(tail.row.beyond for tail in following) + most + len(circles) * ALL_CIRCLED) // kit.step
    if most > MAX_LENGTH * kit.step or len(circles) > MAX_LENGTH:
        raise OutOfTime
    return kit.step * bisect_left(range(lowest, highest), True, key=is_negligible) + lowest * kit.step


def _list_penalties(kit: Kit) -> list[int]:
    return [kind.value for kind in (*kit.yellow, *kit.red)]


def _list_totals(kit: Kit) -> set[int]:
    totals = {0}
    for values in [{0, *(kind.value for kind in kit.black)}] * BLACK_DICE + [{0, *(kind.value for kind in kit.green)}]:
        totals = {total + value for total in totals for value in values}
        if len(totals) > MAX_LENGTH:
            raise OutOfTime
    return totals


def _find_lowest(kit: Kit, limit: int | None, total: int) -> int:
    """Return the lowest score of a segment with this total of the dice."""
    rolls = 1 if limit is None else max(1, count_red_rolls(total - limit))
    red = min(kind.value for kind in kit.red)
    return min(0, total + min(_list_penalties(kit)), total + rolls * red)


class TargetPlay(Play[Vector]):
    """Play for each total by itself: every number of a vector is the best chance of just that number.

    Args:
        row: the numbers.
        following: the vectors of the next segment's start, by the rerolls left.
    """

    def __init__(self, row: Row, following: Sequence[Tail]):
        self._row = row
        self._following = following

    def complete(self, score: int, rerolls: int) -> Vector:
        return self._following[rerolls].move(self._row, score)

    def end_race(self, score: int) -> Vector:
        return _end_race(self._row, score)

    def earn_extra_turn(self, start: Vector) -> Vector:
        return Tail(self._row, start).move(self._row, ALL_CIRCLED)

    def choose(self, options: Sequence[Vector]) -> Vector:
        best, *others = options
        for other in others:
            # Several times as fast as `map(max, best, other)`.
            best = [one if one > two else two for one, two in zip(best, other, strict=True)]
        return best

    def mean(self, weighted: Sequence[tuple[int, Vector]]) -> Vector:
        # There are few different numbers of ways, and adding vectors up is faster than weighting each of them.
        by_ways: defaultdict[int, list[Vector]] = defaultdict(list)
        for ways, vector in weighted:
            by_ways[ways].append(vector)
        sums = [list(map(sum, zip(*vectors, strict=True))) for vectors in by_ways.values()]
        return _weight(list(by_ways), sums, sum([ways for ways, _ in weighted]))

    def pack(self, figures: Vector) -> Vector:
        return array("d", figures)

    def is_settled(self, before: Vector, after: Vector) -> bool:
        return _are_settled(before, after)


class ByValuePlay(Play[Played]):
    """Play for the highest expected total, with the chances of all totals that it leads to.

    Equally good options are settled in this order: those that stand or lock before a reroll, more dice locked, smaller
    faces.

    Args:
        row: the numbers.
        following: the figures of the next segment's start, by the rerolls left: the value, and the vector.
    """

    def __init__(self, row: Row, following: Sequence[tuple[float, Tail]]):
        self._row = row
        self._following = following

    def complete(self, score: int, rerolls: int) -> Played:
        value, tail = self._following[rerolls]
        return Played(score + value, tail.move(self._row, score))

    def end_race(self, score: int) -> Played:
        return Played(float(score), _end_race(self._row, score))

    def earn_extra_turn(self, start: Played) -> Played:
        return Played(ALL_CIRCLED + start.value, Tail(self._row, start.chances).move(self._row, ALL_CIRCLED))

    def choose(self, options: Sequence[Played]) -> Played:
        if len(options) == 1:
            return options[0]
        least = max([option.value for option in options]) - SAME
        tied = [option for option in options if option.value >= least]
        return tied[0] if len(tied) == 1 else min(tied, key=_order_of_ties)

    def mean(self, weighted: Sequence[tuple[int, Played]]) -> Played:
        # Many throws have the same outcome, so first count the ways to each of them.
        total, value = 0, 0.0
        ways_to: defaultdict[int, int] = defaultdict(int)
        vectors = {}
        for ways, played in weighted:
            total += ways
            value += ways * played.value
            key = id(played.chances)
            ways_to[key] += ways
            vectors[key] = played.chances
        return Played(value / total, _weight(list(ways_to.values()), list(vectors.values()), total))

    def is_settled(self, before: Played, after: Played) -> bool:
        is_value_settled = abs(after.value - before.value) <= SETTLED * max(1.0, abs(after.value))
        return is_value_settled and _are_settled(before.chances, after.chances)

    def pack(self, figures: Played) -> Played:
        return Played(figures.value, array("d", figures.chances))

    def lock(self, figures: Played, values: tuple[int, ...]) -> Played:
        return Played(figures.value, figures.chances, values)

    def lock_green(self, figures: Played, value: int) -> Played:
        return Played(figures.value, figures.chances, figures.black, (value,))


def _order_of_ties(played: Played) -> tuple[int, tuple[int, ...]]:
    dice = sorted((*played.black, *played.green))
    return -len(dice), tuple(dice)


def _end_race(row: Row, score: int) -> list[float]:
    return Tail(Row(row.step, 0, row.step), []).move(row, score)


def _weight(ways: Sequence[int], vectors: Sequence[Sequence[float]], total: int) -> list[float]:
    weights = [count / total for count in ways]
    return [sum(map(mul, weights, column)) for column in zip(*vectors, strict=True)]


def _are_settled(before: Sequence[float], after: Sequence[float]) -> bool:
    return max(map(abs, map(sub, after, before)), default=0.0) <= SETTLED

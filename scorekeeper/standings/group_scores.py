"""How groups compare, from the totals of those who ride in them. Pure: it reads no database and knows no game.

Terms: a group's *score* is either the mean of all its totals, or the sum of its *best N*. Every total that is passed
counts, so the caller leaves out what should not count.

- A group with fewer totals than the rule needs (N, or one for the mean) has no place, and is listed last. Otherwise one
  lucky bike would beat a full group, and where the lowest total wins, a group would win by having few bikes.
- Groups with equal scores are tied. Means are compared exactly, not as they are rounded for display.
- Since every ranked group counts N totals, the sum of the best N ranks groups as their mean would. The sum is a whole
  number that anyone can add up from the scorecards.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Generic, TypeVar

from games.core.ranking import Place, rank
from games.core.standing import Standing

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class GroupRule:
    """How groups are compared.

    Attributes:
        best: how many of a group's best totals are added up, 1 or more; 0 for the mean of all of them.
        lowest_wins: whether the lowest total is the best, and so the lowest score.
    """

    best: int = 0
    lowest_wins: bool = False

    @property
    def needed(self) -> int:
        """How many totals a group needs for a place."""
        return self.best or 1


@dataclass(frozen=True, slots=True)
class GroupScore(Generic[K]):
    """The score of one group.

    Attributes:
        rank: None for a group with fewer totals than the rule needs.
        is_tied: whether it shares its place.
        points: the sum of the totals that count.
        counted: how many count; at most as many as the group has.
        size: how many totals the group has.
    """

    group: K
    rank: int | None
    is_tied: bool
    points: int
    counted: int
    size: int

    @property
    def mean(self) -> Fraction:
        """The mean of the totals that count; 0 for a group without any."""
        return Fraction(self.points, self.counted) if self.counted else Fraction()


def rank_groups(totals: Mapping[K, Sequence[int]], rule: GroupRule) -> tuple[GroupScore[K], ...]:
    """Return the score of every group, the best first, and those without a place at the end.

    Args:
        totals: the totals of each group. Groups that are tied, or have no place, keep the order of this mapping.
    """
    counted = {group: _choose_totals(values, rule) for group, values in totals.items()}
    complete = {group: values for group, values in counted.items() if len(values) >= rule.needed}
    # Ranking compares whole numbers, so the means are multiplied by what makes all of them whole.
    scale = 1 if rule.best else lcm(*(len(values) for values in complete.values()))
    standings = {group: _make_standing(values, scale, rule) for group, values in complete.items()}
    places = {group: place for place in rank(standings).places for group in place.seats}
    in_order = (*places, *(group for group in totals if group not in places))
    return tuple(_make_score(group, places.get(group), counted[group], totals[group]) for group in in_order)


def _choose_totals(values: Sequence[int], rule: GroupRule) -> list[int]:
    in_order = sorted(values, reverse=not rule.lowest_wins)
    return in_order[: rule.best] if rule.best else in_order


def _make_standing(values: Sequence[int], scale: int, rule: GroupRule) -> Standing:
    points = sum(values)
    score = points if rule.best else points * scale // len(values)
    return Standing(points, (-score if rule.lowest_wins else score,))


def _make_score(group: K, place: Place[K] | None, counted: Sequence[int], totals: Sequence[int]) -> GroupScore[K]:
    is_tied = place is not None and len(place.seats) > 1
    return GroupScore(group, None if place is None else place.rank, is_tied, sum(counted), len(counted), len(totals))

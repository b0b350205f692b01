"""Adding up a season: points by place, the best results, and the order.

- A shared place brings all who share it the points of that place.
- Only a rider's best results count, if the season says how many. Of equal points, the better place counts.
- With equal totals, the better places decide: whoever has the better best place is ahead, then the better second best,
  and so on; the rider with more results, if all others are equal. Riders who are equal in all that share their place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
R = TypeVar("R", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PointsScale:
    """What places bring.

    Attributes:
        by_place: the points of each place, the first place first.
        below: the points of every place below these.
        best_count: how many results of a rider count; None for all.
    """

    by_place: tuple[int, ...]
    below: int = 0
    best_count: int | None = None

    def get_points(self, place: int) -> int:
        """Return what a place brings; the first place is 1."""
        return self.by_place[place - 1] if place <= len(self.by_place) else self.below


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a rider has from one round.

    Attributes:
        counts: whether it is one of the results that count.
    """

    place: int
    points: int
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonRow(Generic[K, R]):
    """A rider's row.

    Attributes:
        results: by round, of those that the rider took part in.
    """

    rider: K
    rank: int
    is_tied: bool
    total: int
    results: Mapping[R, RoundResult]

    @property
    def rank_label(self) -> str:
        """ "2", or "2=" for a shared place."""
        return f"{self.rank}=" if self.is_tied else str(self.rank)


def rank_season(table: PointsScale, places: Mapping[K, Mapping[R, int]]) -> list[SeasonRow[K, R]]:
    """Return the rows in order; riders who share a place are in the order of `places`.

    Args:
        places: each rider's place in each round that the rider took part in.
    """
    results = {rider: _count_results(table, by_round) for rider, by_round in places.items()}
    keys = {rider: _get_key(by_round.values()) for rider, by_round in results.items()}
    rows: list[SeasonRow[K, R]] = []
    for _key, group in groupby(sorted(results, key=keys.__getitem__), key=keys.__getitem__):
        riders = list(group)
        rank = len(rows) + 1
        rows += [
            SeasonRow(rider, rank, len(riders) > 1, _add_up(results[rider].values()), results[rider])
            for rider in riders
        ]
    return rows


def _count_results(table: PointsScale, places: Mapping[R, int]) -> dict[R, RoundResult]:
    points = {one: table.get_points(place) for one, place in places.items()}
    best_first = sorted(places, key=lambda one: (-points[one], places[one]))
    counting = set(best_first[: table.best_count])
    return {one: RoundResult(place, points[one], one in counting) for one, place in places.items()}


def _add_up(results: Iterable[RoundResult]) -> int:
    return sum(result.points for result in results if result.counts)


def _get_key(results: Iterable[RoundResult]) -> tuple[int, Sequence[float]]:
    """Return what orders riders, the best first."""
    counting = [result for result in results if result.counts]
    # The end is worse than any place, so more results are better.
    return -_add_up(counting), [*sorted(result.place for result in counting), float("inf")]

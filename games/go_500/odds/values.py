"""The expected points that are still to come, under best play."""

from __future__ import annotations

from collections.abc import Sequence

from games.go_500.odds.segment import Play
from games.go_500.scoring import ALL_CIRCLED

SETTLED = 1e-14  # of the figures


class ValuePlay(Play[float]):
    """Play for the highest expected total.

    Args:
        following: the values of the next segment's start, by the rerolls left.
    """

    def __init__(self, following: Sequence[float]):
        self._following = following

    def complete(self, score: int, rerolls: int) -> float:
        return score + self._following[rerolls]

    def end_race(self, score: int) -> float:
        return float(score)

    def earn_extra_turn(self, start: float) -> float:
        return ALL_CIRCLED + start

    def choose(self, options: Sequence[float]) -> float:
        return max(options)

    def mean(self, weighted: Sequence[tuple[int, float]]) -> float:
        total = sum([ways * figure for ways, figure in weighted])
        return total / sum([ways for ways, _ in weighted])

    def is_settled(self, before: float, after: float) -> bool:
        return abs(after - before) <= SETTLED * max(1.0, abs(after))

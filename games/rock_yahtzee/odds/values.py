"""The value of a future: the points that best play still brings on average.

All figures are expected points still to come, so those of the card's turns that have ended are in none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from games.core.time_limit import TimeLimit
from games.rock_yahtzee.odds.future import POINTS, Future, Worth, list_gains
from games.rock_yahtzee.odds.house_table import HOUSE, read_house_values
from games.rock_yahtzee.odds.throws import WITH_ONE_LESS, throw

Figures = list[float]  # one for each kept dice of one size, in the order of `throws`


def throw_for_value(final: Figures) -> list[Figures]:
    """Return for each size of kept dice, from 0 to 4, the value of throwing the other dice once."""
    return throw(final, _average)


def _average(faces: Iterable[tuple[float, float, float, float, float, float]]) -> Figures:
    return [(a + b + c + d + e + f) / 6 for a, b, c, d, e, f in faces]


def keep_best(kept: list[Figures], final: Figures) -> Figures:
    """Return the value of each five dice, of which any can be kept.

    Args:
        kept: the value of each kept dice, by size.
        final: the value of keeping all five, which ends the turn.
    """
    best = kept[0]
    for size, own in enumerate((*kept[1:], final), start=1):
        best = list(map(max, own, *[get(best) for get in WITH_ONE_LESS[size]]))
    return best


class Turn:
    """The values within one turn, for every dice.

    Attributes:
        final: for each five dice, the value of scoring them in the best box.
        after: for one throw and for two throws that may still follow, the value of each five dice.
        kept: for the same, by the size of what is kept, the value of keeping dice and throwing the others.
    """

    def __init__(self, final: Figures):
        self.final = final
        last = throw_for_value(final)
        after_two = keep_best(last, final)
        second = throw_for_value(after_two)
        self.kept = {1: last, 2: second}
        self.after = {0: final, 1: after_two, 2: keep_best(second, final)}

    @classmethod
    def from_boxes(cls, boxes: Mapping[int, Figures]) -> Turn:
        """Return the values within a turn whose dice are scored in the best of the boxes."""
        first, *others = boxes.values()
        return cls(list(map(max, first, *others)) if others else first)

    @property
    def value(self) -> float:
        """The value before the first throw."""
        return throw_for_value(self.after[2])[0][0]


class Values:
    """The values of futures, of one ruleset.

    Attributes:
        known: all that have been found so far.
    """

    def __init__(self, worth: Worth, known: Mapping[Future, float] | None = None):
        self.worth = worth
        self.known: dict[Future, float] = dict(known or {})

    def get(self, future: Future, limit: TimeLimit) -> float:
        """Return the value of a future before its next turn.

        Raises:
            OutOfTime: it takes too long. What has been found by then is kept.
        """
        if not future.left:
            return 0.0
        value = self.known.get(future)
        if value is None:
            limit.check()
            value = self.known[future] = Turn.from_boxes(self.list_boxes(future, limit)).value
        return value

    def list_boxes(self, future: Future, limit: TimeLimit) -> dict[int, Figures]:
        """Return for each open box, by its column, the value of scoring each five dice there. Raises `OutOfTime`."""
        boxes = {}
        for column, gains in list_gains(self.worth, future):
            values = {points: gain.points + self.get(gain.future, limit) for points, gain in gains.items()}
            boxes[column] = [values[points] for points in POINTS[column]]
        return boxes


@lru_cache(maxsize=8)
def get_values(worth: Worth) -> Values:
    """Return the values of a ruleset, which are kept for the next question. Those of the house rules are in a table."""
    return Values(worth, read_house_values() if worth == HOUSE else None)

"""The chances of all totals under play by value, which goes for the most points on average.

Where choices are equally good, scoring comes before throwing, boxes in the order of the card, more dice kept before
fewer, and then smaller faces. So there is one choice everywhere, and its chances can be followed forward: first to the
five dice that a turn ends with, and then from turn to turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from games.core.dice import PIPS
from games.core.odds import SAME
from games.core.time_limit import TimeLimit
from games.rock_yahtzee.odds.future import POINTS, Future, Gain, Worth, list_gains
from games.rock_yahtzee.odds.throws import ADDING_ONE, CAN_KEEP, FINAL, KEPT, ORDERS
from games.rock_yahtzee.odds.values import Figures, Turn, get_values
from games.rock_yahtzee.scoring import DICE

FACES = len(PIPS)

Totals = list[float]  # the chance of 0, 1, 2, ... points still to come
Weights = dict[int, float]  # the chance of each five dice, by number


class Play:
    """Play by value within one turn.

    Attributes:
        turn: the values within the turn.
    """

    def __init__(self, boxes: Mapping[int, Figures]):
        """Prepare a turn.

        Args:
            boxes: for each open box, by its column, the value of scoring each five dice there.
        """
        self.turn = Turn.from_boxes(boxes)
        self._boxes = boxes

    def choose_box(self, dice: int) -> int:
        """Return the column of the box for five dice."""
        limit = self.turn.final[dice] - SAME
        return next(column for column, values in self._boxes.items() if values[dice] >= limit)

    def follow(self, weights: Weights, throws: int) -> Weights:
        """Return the five dice that a turn ends with.

        Args:
            weights: the chances of the five dice that show now.
            throws: how many throws may still follow, none to two.
        """
        ended: defaultdict[int, float] = defaultdict(float)
        for left in range(throws, 0, -1):
            final, after, kept = self.turn.final, self.turn.after[left], self.turn.kept[left]
            thrown = [[0.0] * len(size) for size in KEPT[:DICE]]
            for dice, weight in weights.items():
                limit = after[dice] - SAME
                if final[dice] >= limit:
                    ended[dice] += weight
                    continue
                size, number = next(keep for keep in CAN_KEEP[dice] if kept[keep[0]][keep[1]] >= limit)
                thrown[size][number] += weight
            weights = _throw(thrown)
        for dice, weight in weights.items():
            ended[dice] += weight
        return ended


def follow_kept(size: int, number: int) -> Weights:
    """Return the chances of all five dice after keeping some and throwing the others."""
    thrown = [[0.0] * len(kept) for kept in KEPT[:DICE]]
    thrown[size][number] = 1.0
    return _throw(thrown)


def _throw(thrown: Sequence[list[float]]) -> Weights:
    """Return the chances of all five dice, one die at a time.

    Args:
        thrown: by size, the chances of the kept dice to which others are thrown. Changed.
    """
    final = [0.0] * len(FINAL)
    for size, more in enumerate(ADDING_ONE):
        to = thrown[size + 1] if size + 1 < DICE else final
        for weight, numbers in zip(thrown[size], more, strict=True):
            if weight:
                each = weight / FACES
                for number in numbers:
                    to[number] += each
    return {dice: weight for dice, weight in enumerate(final) if weight}


FIRST_THROW: Weights = {dice: orders / FACES**DICE for dice, orders in enumerate(ORDERS)}


class TotalsByValue:
    """The chances of all totals, for all futures that have been asked for, of one ruleset."""

    def __init__(self, worth: Worth):
        self.worth = worth
        self._values = get_values(worth)
        self._totals: dict[Future, Totals] = {}

    def get(self, future: Future, limit: TimeLimit) -> Totals:
        """Return the chances of 0, 1, 2, ... points before the next turn.

        Raises:
            OutOfTime: it takes too long. What has been found by then is kept.
        """
        if not future.left:
            return [1.0]
        found = self._totals.get(future)
        if found is None:
            limit.check()
            play = Play(self._values.list_boxes(future, limit))
            found = self._totals[future] = self.score(future, play, play.follow(FIRST_THROW, 2), limit)
        return found

    def score(self, future: Future, play: Play, weights: Weights, limit: TimeLimit) -> Totals:
        """Return the chances of all points after scoring the five dice that a turn ends with."""
        gains = dict(list_gains(self.worth, future))
        scored: defaultdict[Gain, float] = defaultdict(float)
        for dice, weight in weights.items():
            column = play.choose_box(dice)
            scored[gains[column][POINTS[column][dice]]] += weight
        return join((weight, gain.points, self.get(gain.future, limit)) for gain, weight in scored.items())


def join(parts: Iterable[tuple[float, int, Totals]]) -> Totals:
    """Return the chances of all points: parts of a weight, each with points that are scored for certain."""
    joined: Totals = []
    for weight, points, totals in parts:
        if len(joined) < points + len(totals):
            joined.extend([0.0] * (points + len(totals) - len(joined)))
        for total, chance in enumerate(totals, start=points):
            joined[total] += weight * chance
    return joined


@lru_cache(maxsize=8)
def get_totals_by_value(worth: Worth) -> TotalsByValue:
    """Return the chances of a ruleset, which are kept for the next question."""
    return TotalsByValue(worth)

"""The best chance of reaching any number of points, for all numbers at once.

Play for 150 points and play for 151 are different games, but both are played by the same steps. `lanes` takes these
steps for all numbers at once, and exactly: a chance is a number of equally likely throws. Before a turn its unit is
`THROWS` to the power of the turns that are left; each throw of a die that is still to come multiplies it by six.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.core.dice import PIPS
from games.core.time_limit import TimeLimit
from games.rock_yahtzee.odds.future import POINTS, Future, Worth, list_gains
from games.rock_yahtzee.odds.lanes import BYTES, THROWS, Lanes, read_lane, widen
from games.rock_yahtzee.odds.throws import DROPPING_ONE, FINAL, throw
from games.rock_yahtzee.scoring import DICE

FACES = len(PIPS)
ALL_FIVE = FACES**DICE

Row = Sequence[int]  # lanes for each kept dice of one size


class Chances(NamedTuple):
    """The chances of 1, 2, ... points or more.

    Attributes:
        lanes: one lane for each number of points.
        width: the bytes of a lane.
        lane_count: the number of lanes; more points are impossible.
        unit: what stands for a chance of 1.
        certain: points that are scored already and count too.
    """

    lanes: int
    width: int
    lane_count: int
    unit: int
    certain: int = 0

    def add_points(self, points: int) -> Chances:
        """Return the chances with points that are scored for certain."""
        return self._replace(certain=self.certain + points)

    def widen(self, width: int) -> Chances:
        """Return the same chances in lanes of this number of bytes, which is as large or larger."""
        if width == self.width:
            return self
        return self._replace(lanes=widen(self.lanes, self.width, self.lane_count, width), width=width)

    def get(self, points: int) -> float:
        """Return the chance of so many points or more."""
        points -= self.certain
        if points <= 0:
            return 1.0
        return read_lane(self.lanes, points - 1, self.width) / self.unit if points <= self.lane_count else 0.0


class TurnChances:
    """The chances within one turn, for every dice.

    Attributes:
        final: for each five dice, the best chances after scoring them.
        last: by the size of what is kept, the chances of keeping dice before the last throw.
        second: the same before the second throw.
    """

    def __init__(self, final: list[int], unit: int, turns: int, count: int):
        """Play a turn backwards.

        Args:
            final: the lanes for each five dice after scoring them.
            unit: what stands for a chance of 1 in these.
            turns: the turns that are left with this one.
            count: the number of lanes.
        """
        self._width, self._count = turns * BYTES, count
        self._layout = Lanes(self._width, count)
        self._unit = unit
        self.last = _throw(final)
        after_two = self._keep_best(self.last, [lanes * ALL_FIVE for lanes in final])
        self.second = _throw(after_two)
        self._after_one = self._keep_best(self.second, [lanes * ALL_FIVE**2 for lanes in final])

    def get_chances(self) -> Chances:
        """Return the chances before the first throw."""
        chances = Chances(_throw(self._after_one)[0][0], self._width, self._count, self._unit * THROWS)
        return chances.widen(self._width + BYTES)  # as the turn before this one needs them

    def get_kept(self, throws: int, size: int, number: int) -> Chances:
        """Return the chances of keeping dice when one throw or two may still follow."""
        lanes = (self.last if throws == 1 else self.second)[size][number]
        return Chances(lanes, self._width, self._count, self._unit * ALL_FIVE ** (throws - 1) * FACES ** (DICE - size))

    def _keep_best(self, kept: list[list[int]], final: list[int]) -> list[int]:
        """Return the chances of each five dice, of which any can be kept.

        Args:
            kept: the chances of each kept dice, by size, in a unit that has a six for each die to be thrown.
            final: the chances of keeping all five, in the unit of five dice to be thrown.
        """
        best = kept[0]
        for size, own in enumerate((*kept[1:], final), start=1):
            scale = FACES**size if size < DICE else 1
            best = self._layout.find_best([lanes * scale for lanes in own], best, DROPPING_ONE[size])
        return best


def _throw(final: list[int]) -> list[list[int]]:
    """Return for each size of kept dice, from 0 to 4, the chances before the other dice are thrown."""
    return throw(final, _add)


def _add(faces: Iterable[tuple[int, int, int, int, int, int]]) -> list[int]:
    return [a + b + c + d + e + f for a, b, c, d, e, f in faces]


class BestChances:
    """The best chances of all futures that have been asked for, of one ruleset."""

    def __init__(self, worth: Worth):
        self.worth = worth
        self._chances: dict[Future, Chances] = {}

    def get(self, future: Future, limit: TimeLimit) -> Chances:
        """Return the best chances before the next turn.

        Raises:
            OutOfTime: it takes too long. What has been found by then is kept.
        """
        if not future.left:
            return NOTHING
        found = self._chances.get(future)
        if found is None:
            limit.check()
            found = self._chances[future] = self.play_turn(future, limit).get_chances()
        return found

    def play_turn(self, future: Future, limit: TimeLimit) -> TurnChances:
        """Return the chances within the next turn. Raises `OutOfTime` as `get` does."""
        turns, unit = future.left, THROWS ** (future.left - 1)
        boxes: list[tuple[int, dict[int, tuple[int, int]]]] = []
        count = 0
        for column, gains in list_gains(self.worth, future):
            parts = {}
            for points, gain in gains.items():
                chances = self.get(gain.future, limit)
                count = max(count, chances.lane_count + gain.points)
                parts[points] = (chances.widen(turns * BYTES).lanes * (unit // chances.unit), gain.points)
            boxes.append((column, parts))
        layout = Lanes(turns * BYTES, count)
        rows = {
            column: {points: layout.add_points(lanes, gained, unit) for points, (lanes, gained) in parts.items()}
            for column, parts in boxes
        }
        return TurnChances(_choose_boxes(layout, rows), unit, turns, count)


NOTHING = Chances(0, 0, 0, 1)


def _choose_boxes(layout: Lanes, rows: dict[int, dict[int, int]]) -> list[int]:
    """Return for each five dice the best chances that any box gives.

    Dice that score alike in some boxes share what is found there; boxes in which most dice score alike come first.

    Args:
        rows: for each open box, by column, the lanes for each number of points.
    """
    found: dict[tuple[int, ...], int] = {(): 0}
    scored: list[tuple[int, ...]] = [()] * len(FINAL)
    for column in sorted(rows, key=lambda column: len(rows[column])):
        lanes = rows[column]
        scored = [(*before, points) for before, points in zip(scored, POINTS[column], strict=True)]
        found = {points: layout.maximum(lanes[points[-1]], found[points[:-1]]) for points in set(scored)}
    return [found[points] for points in scored]


@lru_cache(maxsize=8)
def get_best_chances(worth: Worth) -> BestChances:
    """Return the best chances of a ruleset, which are kept for the next question."""
    return BestChances(worth)

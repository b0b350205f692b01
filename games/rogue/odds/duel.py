"""The chance to win of two players, between turns that are all played for their expected points.

Terms: seat 0 is the *first* player of each round, seat 1 the *second*. All chances are those of the first to win. At
*war* a turn can earn additional turns (ROGUE-12).

- While both are below the target, the chances are a table over the points that each is still *missing*. A turn without
  points leads back to the same entry, which is solved as two equations.
- Once the first is at the target, the second has the last turn of the round (ROGUE-13), and a tie adds a round
  (ROGUE-14). At war that depends only on how far the second is behind.
- Below the war, a tie depends on the points too, because further ties can lead to the war.

The table grows from the end of the game backwards, as far as it is asked for. All of it for 300 points, 90,000 entries,
takes 1.5 to 2.5 s (CPU time).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import mul
from threading import Lock
from typing import NamedTuple

from games.core.time_limit import TimeLimit
from games.rogue.odds.chances import TurnChances, get_turn_chances
from games.rogue.state import Setup

MOST_ENTRIES = 90_000  # of the table: both are 300 points away from the target, for example
MOST_MISSING = 2000  # points, for one of them
NEGLIGIBLE = 1e-14
FAR = 6000  # points that no series of ties covers: its chance is far less than negligible


def _dot(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the sum of the products, as far as both go."""
    return float(sum(map(mul, one, two)))


class Term(NamedTuple):
    """What one end of a turn adds to a row of chances: a share of `values`, from this position on."""

    share: float
    values: Sequence[float]
    start: int


class TurnPoints:
    """The chances of the points of one turn, as lists by points.

    Attributes:
        rogue_out: the chance of a rogue out.
        full: the chances of points with all six dice, which at war are followed by an additional turn.
        other: the chances of all other points.
        one: the chances of the points of the turn, whether full or not.
        less: the chances of fewer points than that.
    """

    def __init__(self, chances: TurnChances, length: int):
        full, other, self.rogue_out = chances
        self.most = max(*full, *other)
        length = max(length, self.most + 1)
        self.full = [full.get(points, 0.0) for points in range(length)]
        self.other = [other.get(points, 0.0) for points in range(length)]
        self.one = [one + two for one, two in zip(self.full, self.other, strict=True)]
        self.less = [0.0, *accumulate(self.one)]
        self.sparse_full = tuple(full.items())
        self.sparse_other = tuple(other.items())
        self.sparse_one = tuple((points, chance) for points, chance in enumerate(self.one) if chance)


class War:
    """The end of the game at war: the first has reached the target, and all turns can earn additional ones.

    Attributes:
        level: the chance after a tie, at the start of another round (ROGUE-14).
        behind: the chances when the second has a turn, by the points that the second is behind.
        again: the chances when the first has an additional turn, by the points that the second is behind.
    """

    def __init__(self, turn: TurnPoints):
        length = 2 * MOST_MISSING + turn.most
        sums = _list_sums(turn)
        less = [0.0, *accumulate(sums)]
        goes_on = 1 - sum(turn.full)
        rogue_out = turn.rogue_out / goes_on
        wins = rogue_out + _dot(sums, less)
        self.level = wins / (1 - _dot(sums, sums))
        length = max(length, len(sums)) + turn.most + 1  # beyond that, nothing changes
        certain = 1 - rogue_out  # the second can still roll a rogue out
        self.behind = [one + self.level * two for one, two in zip(less, sums, strict=False)]
        self.behind += [certain] * (length - len(self.behind))
        far = (turn.rogue_out + sum(turn.other) * certain) / goes_on
        self.again = [far] * length
        for points in range(length - turn.most - 1, -1, -1):
            chance = turn.rogue_out
            for more, share in turn.sparse_other:
                chance += share * self.behind[points + more]
            for more, share in turn.sparse_full:
                chance += share * self.again[points + more]
            self.again[points] = chance


def _list_sums(turn: TurnPoints) -> list[float]:
    """Return the chances of the points of a turn with all its additional turns, up to what is negligible."""
    found: list[float] = []
    missing = sum(turn.other) / (1 - sum(turn.full))
    while missing > NEGLIGIBLE:
        points = len(found)
        chance = turn.other[points] if points < len(turn.other) else 0.0
        for before, share in turn.sparse_full:
            if before > points:
                break
            chance += share * found[points - before]
        found.append(chance)
        missing -= chance
        if len(found) > 40_000:
            break
    return found


class Duel:
    """The chances of the first of two players, under these options, if these are the chances of a turn.

    Call `prepare` for the points before asking for them.
    """

    def __init__(self, setup: Setup, chances: TurnChances):
        self._target, self._war_at = setup
        self._war_missing = self._target - self._war_at  # at war, a player is missing this or less
        self._lock = Lock()
        self._turn = TurnPoints(chances, MOST_MISSING + 1)
        # By the points missing, the first's and then the second's, or the other way round. Entries for 0 are 0.
        self._first_rows: list[list[float]] = [[]]
        self._second_rows: list[list[float]] = [[]]
        self._first_columns: list[list[float]] = [[]]
        self._second_columns: list[list[float]] = [[]]

    @cached_property
    def _war(self) -> War:
        return War(self._turn)

    def can_prepare(self, first: int, second: int) -> bool:
        """Return whether the table for these points is small enough."""
        missing = [max(0, self._target - points) for points in (first, second)]
        return not min(missing) or (missing[0] * missing[1] <= MOST_ENTRIES and max(missing) <= MOST_MISSING)

    def prepare(self, first: int, second: int, time: TimeLimit) -> None:
        """Work out the table for all points from these on.

        Raises:
            OutOfTime: it takes too long. What is worked out by then is kept.
        """
        missing_first, missing_second = self._target - first, self._target - second
        if min(missing_first, missing_second) > 0:
            with self._lock:  # the threads of a server share the table
                self._extend(missing_first, missing_second, time)

    def before_first(self, first: int, second: int) -> float:
        """Return the chance before a turn of the first, a tie or an additional turn included."""
        if max(first, second) < self._target:
            return self._first_rows[self._target - first][self._target - second]
        if first == second:
            return self._get_tie(first)
        again = self._war.again
        return again[min(first - second, len(again) - 1)]

    def before_second(self, first: int, second: int) -> float:
        """Return the chance before a turn of the second."""
        if max(first, second) < self._target:
            return self._second_rows[self._target - first][self._target - second]
        behind = first - second
        if behind < 0:
            return 0.0
        if first >= self._war_at:
            return self._war.behind[min(behind, len(self._war.behind) - 1)]
        turn = self._turn
        if behind > turn.most:
            return 1 - turn.rogue_out
        return turn.less[behind] + turn.one[behind] * self._get_tie(first)

    def after_first(self, first: int, second: int, *, is_full: bool) -> float:
        """Return the chance after a turn of the first, with its points added."""
        if is_full and max(first, second) >= self._war_at:
            return self.before_first(first, second)
        return self.before_second(first, second)

    def after_second(self, first: int, second: int, *, is_full: bool) -> float:
        """Return the chance after a turn of the second, with its points added: at the end of a round (ROGUE-13)."""
        if is_full and max(first, second) >= self._war_at:
            return self.before_second(first, second)
        if max(first, second) >= self._target and first != second:
            return float(first > second)
        return self.before_first(first, second)

    def _get_tie(self, points: int) -> float:
        """Return the chance at the start of a round in which both have these points, the target or more."""
        if points >= self._war_at:
            return self._war.level
        return self._ties[points - self._target] if points - self._target < len(self._ties) else self._ties[-1]

    @cached_property
    def _ties(self) -> list[float]:
        """The chances of ties from the target to the war, or as far as a tie that matters can lead."""
        turn = self._turn
        never = (turn.rogue_out + _dot(turn.one, turn.less)) / (1 - _dot(turn.one, turn.one))
        length = min(self._war_at - self._target, FAR)
        found = [never] * length

        def get_tie(number: int) -> float:
            return found[number] if number < length else never

        to_war = self._war_at - self._target
        for number in range(length - 1, -1, -1):
            chance = turn.rogue_out
            for points, share in turn.sparse_one:
                if points and number + points < to_war:
                    chance += share * (turn.less[points] + turn.one[points] * get_tie(number + points))
                elif points:
                    chance += (
                        turn.other[points] * self._war.behind[points] + turn.full[points] * self._war.again[points]
                    )
            found[number] = chance / (1 - turn.one[0] * turn.one[0])
        return found

    def _extend(self, missing_first: int, missing_second: int, time: TimeLimit) -> None:
        for rows in (self._first_rows, self._second_rows):
            rows += [[0.0] for _ in range(missing_first + 1 - len(rows))]
        for columns in (self._first_columns, self._second_columns):
            columns += [[0.0] for _ in range(missing_second + 1 - len(columns))]
        for first in range(1, missing_first + 1):
            time.check()
            known = len(self._first_rows[first])
            if known <= missing_second:
                lasts = self._list_lasts(first, range(known, missing_second + 1))
                for second, last in zip(range(known, missing_second + 1), lasts, strict=True):
                    self._solve(first, second, last)

    def _solve(self, first: int, second: int, last: float) -> None:
        """Work out one entry.

        Args:
            first: the points that the first is missing.
            second: the points that the second is missing.
            last: the part of the first's chance that comes from reaching the target in this turn, or a rogue out.
        """
        rows = (self._first_rows[first], self._second_rows[first])
        columns = (self._second_columns[second], self._first_columns[second])
        # Each is the chance without the outcome of no points at all, which leaves everything as it is.
        by_second = self._weigh(*rows, second, is_war=first <= self._war_missing)
        by_first = last + self._weigh(*columns, first, is_war=second <= self._war_missing)
        none = self._turn.one[0]
        before_first = (by_first + none * by_second) / (1 - none * none)
        before_second = by_second + none * before_first
        self._first_rows[first].append(before_first)
        self._second_rows[first].append(before_second)
        self._first_columns[second].append(before_first)
        self._second_columns[second].append(before_second)

    def _weigh(self, passed: Sequence[float], again: Sequence[float], missing: int, *, is_war: bool) -> float:
        """Return the chance from all points of a turn that stay below the target.

        Args:
            passed: the chances once the other player has the turn, by the points that are still missing then.
            again: those of an additional turn.
            missing: the points that are missing now.
            is_war: whether it is war already.
        """
        turn = self._turn
        if is_war:
            return _dot(passed, turn.other[missing:0:-1]) + _dot(again, turn.full[missing:0:-1])
        chance = _dot(passed, turn.one[missing:0:-1])
        at_war = min(missing - 1, self._war_missing)
        if at_war < 1:
            return chance
        # With this many missing or fewer the turn itself brings the war.
        full = turn.full[missing : missing - at_war - 1 : -1]
        return chance + _dot(again, full) - _dot(passed, full)

    def _list_lasts(self, first: int, missing: range) -> list[float]:
        """Return the chances from turns in which the first reaches the target, or rolls a rogue out.

        Args:
            first: the points that the first is missing.
            missing: the points that the second is missing, one after the other.
        """
        terms = [term._replace(start=term.start + missing.start) for term in self._iter_last_terms(first)]
        shares = [term.share for term in terms]
        rows = [term.values[term.start : term.start + len(missing)] for term in terms]
        return [self._turn.rogue_out + _dot(shares, column) for column in zip(*rows, strict=True)] or [
            self._turn.rogue_out
        ] * len(missing)

    def _iter_last_terms(self, first: int) -> Iterator[Term]:
        """Yield what each end of such a turn adds; a position is as many points as the second is missing."""
        turn = self._turn
        for points, share in turn.sparse_one:
            ahead = points - first  # of the target
            if ahead < 0:
                continue
            if self._target + ahead >= self._war_at:
                yield Term(turn.other[points], self._war.behind, ahead)
                yield Term(turn.full[points], self._war.again, ahead)
            else:
                yield Term(share, self._padded_less, ahead)
                yield Term(share * self._get_tie(self._target + ahead), self._padded_one, ahead)

    @cached_property
    def _padded_less(self) -> list[float]:
        turn = self._turn
        return [*turn.less, *[1 - turn.rogue_out] * (2 * MOST_MISSING + turn.most)]

    @cached_property
    def _padded_one(self) -> list[float]:
        return [*self._turn.one, *[0.0] * (2 * MOST_MISSING + self._turn.most)]


@lru_cache(maxsize=8)
def get_duel(setup: Setup) -> Duel:
    """Return the chances of two players under these options, with what is known of them already."""
    return Duel(setup, get_turn_chances())

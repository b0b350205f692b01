"""One segment with a number of rerolls left: figures for every moment of it, by one recursion for any kind of figures.

Terms: *figures* are what is asked about the points that are still to come: their expectation, or the chances of all
their totals. What is already locked counts as still to come, because a black flag can take it away (GO-9). A `Play`
says what figures are made of, and how a choice is made.

- From a roll on the table, the best dice to lock are found by leaving out one die after the other: the best part of a
  selection is all of it, or the best part of what is left without one of its dice. So each of some 460 selections is
  compared once, and not every part of each of 252 rolls.
- Six circled dice bring back the same segment (GO-7). Its figures are found by repetition: each round counts with the
  chance of that roll, 1 in 46,656 with the house kit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Generic, TypeVar

from games.core.time_limit import TimeLimit
from games.go_500.kit import BLACK_DICE, BLACK_FLAG, GREEN_FLAG, RED_FLAG, YELLOW_FLAG
from games.go_500.odds.throws import FLAG_WAYS, Kit, Throw
from games.go_500.scoring import add_penalty, count_red_rolls
from games.go_500.state import Penalties

F = TypeVar("F")

# The dice that can be chosen for a segment (GO-4); of equally good choices, that of more dice comes first.
STARTS = tuple(
    sorted(
        ((black, has_green) for black in range(BLACK_DICE + 1) for has_green in (False, True)),
        key=lambda start: (-start[0] - start[1], -start[0]),
    )
)
ALL_SIX = STARTS[0]


class Play(ABC, Generic[F]):
    """What figures are made of in a segment, and how a choice is made."""

    @abstractmethod
    def complete(self, score: int, rerolls: int) -> F:
        """Return the figures once the segment is complete with this score and rerolls left."""

    @abstractmethod
    def end_race(self, score: int) -> F:
        """Return the figures once the race is over with this score of the segment (GO-25)."""

    @abstractmethod
    def earn_extra_turn(self, start: F) -> F:
        """Return the figures of 175 points and the segment once more, from those of its start (GO-20)."""

    @abstractmethod
    def choose(self, options: Sequence[F]) -> F:
        """Return the figures of a choice; the options that stand or lock come before a reroll."""

    @abstractmethod
    def mean(self, weighted: Sequence[tuple[int, F]]) -> F:
        """Return the figures of a throw, from those of its outcomes and the ways in which each can come about."""

    @abstractmethod
    def is_settled(self, before: F, after: F) -> bool:
        """Return whether one more round changes the figures no more than rounding does."""

    def pack(self, figures: F) -> F:
        """Return the figures in the form in which they are kept."""
        return figures

    def lock(self, figures: F, values: tuple[int, ...]) -> F:
        """Return the figures of an option that locks black dice of these values."""
        return figures

    def lock_green(self, figures: F, value: int) -> F:
        """Return the figures of an option that locks a green die of this value too."""
        return figures


class Segment(Generic[F]):
    """The figures of every moment of a segment. They are worked out here, and do not change later.

    Args:
        kit: the dice.
        limit: the segment's speed limit.
        rerolls: how many rerolls are left.
        play: what figures are made of.
        fewer: the same segment with one reroll less; None if none is left.
        time: when to give up.

    Raises:
        OutOfTime: this takes too long.
    """

    def __init__(
        self, kit: Kit, limit: int | None, rerolls: int, play: Play[F], fewer: Segment[F] | None, time: TimeLimit
    ):
        self.fewer = fewer
        self.play = play
        self._kit = kit
        self._limit = limit
        self._rerolls = rerolls
        self._time: TimeLimit | None = time
        self._completed: dict[int, F] = {}
        self._penalties: dict[Penalties, F] = {}
        self._hands: dict[tuple[int, bool, int], F] = {}
        self._locks: dict[tuple[int, bool, int, bool], list[F]] = {}
        self.start = self._solve()
        self._locks.clear()
        self._time = None  # the next question has its own, and all hands are solved

    def pack(self) -> None:
        """Make the figures small, once the segment with one reroll more is solved too."""
        self._hands = {hand: self.play.pack(figures) for hand, figures in self._hands.items()}
        self.start = self.play.pack(self.start)
        # These are made again quickly, for the few that are asked for.
        for quick in (self._locks, self._penalties, self._completed):
            quick.clear()

    def get_hand(self, black: int, has_green: bool, locked: int) -> F:
        """Return the figures before a roll of these dice, with the sum of those locked before."""
        key = (black, has_green, locked)
        found = self._hands.get(key)
        if found is None:
            self._check_time()
            found = self._hands[key] = self.play.mean(self._list_outcomes(*key))
        return found

    def get_completed(self, score: int) -> F:
        """Return the figures once the segment is complete with this score."""
        found = self._completed.get(score)
        if found is None:
            found = self._completed[score] = self.play.complete(score, self._rerolls)
        return found

    def get_penalties(self, penalties: Penalties) -> F:
        """Return the figures of penalty rolls that are due, or of a segment that is complete without any (GO-24)."""
        rule, due, score, _, ends_race = penalties
        if not due:
            return self.play.end_race(score) if ends_race else self.get_completed(score)
        if rule == "GO-13":
            penalties = penalties._replace(rule="GO-11")  # the same die
        found = self._penalties.get(penalties)
        if found is None:
            found = self._penalties[penalties] = self._throw_penalty(penalties)
        return found

    def get_accepted(self, end: str, total: int) -> F:
        """Return the figures of accepting a roll that ended the segment by this clause."""
        match end:
            case "GO-7":
                return self.play.earn_extra_turn(self.start)
            case "GO-9":
                return self.get_completed(0)
            case "GO-10" | "GO-11":
                return self.get_penalties(Penalties(end, 1, total))
            case "GO-13":
                assert self._limit is not None
                return self.get_penalties(Penalties(end, count_red_rolls(total - self._limit), total))
        return self.get_completed(total)

    def _check_time(self) -> None:
        if self._time is not None:
            self._time.check()

    def _solve(self) -> F:
        """Return the figures of the start of the segment, at which its dice are chosen."""
        play = self.play
        others = [self.get_hand(*start, 0) for start in STARTS if start != ALL_SIX]
        circled = self._kit.thrown[ALL_SIX].all_circled
        if not circled:
            return play.choose([self.get_hand(*ALL_SIX, 0), *others])
        outcomes = self._list_outcomes(*ALL_SIX, 0)
        # Circles count whatever the flag.
        circled *= sum(FLAG_WAYS.values())
        ways, rest = sum(ways for ways, _ in outcomes), play.mean(outcomes)
        reroll = self._list_reroll(*ALL_SIX, 0)
        start = play.choose(others)
        while True:
            self._check_time()
            six = play.mean([(ways, rest), (circled, play.choose([play.earn_extra_turn(start), *reroll]))])
            again = play.choose([six, *others])
            if play.is_settled(start, again):
                self._hands[*ALL_SIX, 0] = six
                return again
            start = again

    def _list_reroll(self, black: int, has_green: bool, locked: int) -> list[F]:
        return [] if self.fewer is None else [self.fewer.get_hand(black, has_green, locked)]

    def _list_outcomes(self, black: int, has_green: bool, locked: int) -> list[tuple[int, F]]:
        """Return the outcomes of a roll, except six circled dice, with the ways of each."""
        choose, reroll = self.play.choose, self._list_reroll(black, has_green, locked)
        throws, limit = self._kit.thrown[black, has_green].throws, self._limit
        totals: Counter[int] = Counter()
        above: Counter[int] = Counter()
        found: list[tuple[int, F]] = []
        green_ways = FLAG_WAYS[GREEN_FLAG]
        for throw in throws:
            total = locked + throw.total
            totals[total] += throw.ways
            if limit is not None and total > limit:
                above[total] += throw.ways
            else:
                options = self._list_options(black, has_green, locked, throw)
                found.append((throw.ways * green_ways, choose([*options, *reroll])))
        for total, ways in above.items():
            found.append((ways * green_ways, choose([self.get_accepted("GO-13", total), *reroll])))
        for flag, end in ((YELLOW_FLAG, "GO-10"), (RED_FLAG, "GO-11")):
            for total, ways in totals.items():
                found.append((ways * FLAG_WAYS[flag], choose([self.get_accepted(end, total), *reroll])))
        stopped = choose([self.get_completed(0), *reroll])
        found.append((sum(totals.values()) * FLAG_WAYS[BLACK_FLAG], stopped))
        return found

    def _list_options(self, black: int, has_green: bool, locked: int, throw: Throw) -> list[F]:
        """Return the best ways to lock dice of a roll on a green flag, within the limit (GO-14, GO-23)."""
        number, green = throw.selection, throw.green
        if green is None or green.is_flat:
            return [
                self._get_locks(black, False, locked)[number] if black else self.get_completed(locked + throw.total)
            ]
        with_green = locked + green.value
        if not black:
            return [self.get_completed(with_green)]
        best_with_green = self._get_locks(black, False, with_green, or_none=True)[number]
        return [self.play.lock_green(best_with_green, green.value), self._get_locks(black, True, locked)[number]]

    def _get_locks(self, black: int, has_green: bool, locked: int, *, or_none: bool = False) -> list[F]:
        """Return the figures of the best way to lock dice of each selection.

        Args:
            black: how many black dice were rolled.
            has_green: whether the green die is rolled on.
            locked: the sum of the dice locked otherwise.
            or_none: whether no black die has to be locked, because the green one is.
        """
        key = (black, has_green, locked, or_none)
        found = self._locks.get(key)
        if found is None:
            found = self._locks[key] = self._make_locks(*key)
        return found

    def _make_locks(self, black: int, has_green: bool, locked: int, or_none: bool) -> list[F]:
        play, limit = self.play, self._limit
        if or_none:
            none = self.get_hand(black, has_green, locked)
            return [play.choose([best, none]) for best in self._get_locks(black, has_green, locked)]
        found: list[F] = []
        for size, total, values, fewer, _, _ in self._kit.selections:
            if size > black:
                break
            if limit is not None and locked + total > limit:
                found.append(self.get_completed(0))  # never asked for
                continue
            left = black - size
            whole = (
                self.get_hand(left, has_green, locked + total)
                if left or has_green
                else self.get_completed(locked + total)
            )
            # Without a limit, more points locked are never worse, so only the smallest die need be left out.
            parts = [found[part] for part in (fewer[:1] if limit is None else fewer)]
            found.append(play.choose([play.lock(whole, values), *parts]))
        return found

    def _throw_penalty(self, penalties: Penalties) -> F:
        kit = self._kit
        reroll = [] if self.fewer is None else [self.fewer.get_penalties(penalties)]
        return self.play.mean(
            [
                (ways, self.play.choose([self.get_penalties(add_penalty(kit.setup, penalties, face)), *reroll]))
                for face, _, ways in (kit.yellow if penalties.rule == "GO-10" else kit.red)
            ]
        )

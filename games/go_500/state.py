"""The state of one player's race: the completed segments, and the moment of the running segment.

Terms: the *moment* says what comes next. It is None if the dice of a segment must be chosen. Otherwise it is a `Hand`
of dice to roll, the current roll, the penalty rolls that are due, or the current penalty roll. The *end* of a roll is
the clause by which it ends the segment; a roll without an end leaves dice to lock.

Invariants:

- `scores` has an entry for each completed segment, so its length is the index of the running one.
- `is_over` is set only between segments.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core.reading import Face
from games.go_500.course import Course
from games.go_500.kit import FLAT, Die

Dice = tuple[Face, ...]


class Setup(NamedTuple):
    """The options, as the rules read them."""

    course: Course
    rerolls: int
    black: Die
    green: Die
    yellow: Die
    red: Die


class Hand(NamedTuple):
    """The dice that are rolled next.

    Attributes:
        black: the number of black dice.
        no_green: the clause that excludes the green die (GO-4, GO-8 or GO-14); None if it is in play.
        locked: the sum of the dice locked so far in this turn.
    """

    black: int
    no_green: str | None
    locked: int = 0


class Rolled(NamedTuple):
    """A roll that can be rerolled: the hand before it, the faces, the segment's total with it, and its end."""

    hand: Hand
    black: Dice
    green: Face | None
    total: int
    end: str | None

    @property
    def can_lock_green(self) -> bool:
        """Whether the green die was rolled and did not go flat (GO-8, GO-14)."""
        return self.green is not None and self.green != FLAT


class Penalties(NamedTuple):
    """Penalty rolls that are due before the segment is complete.

    Attributes:
        rule: the clause that requires them: GO-10 for the yellow die, GO-11 or GO-13 for the red one.
        due: their number, not counting second rolls.
        score: the segment's score with the penalties so far.
        is_second: whether the next roll is the second roll after a crash or a circled X.
        ends_race: whether a circled X on a second roll has ended the race.
    """

    rule: str
    due: int
    score: int
    is_second: bool = False
    ends_race: bool = False


class Thrown(NamedTuple):
    """A penalty roll that can be rerolled, and the penalties that were due before it."""

    penalties: Penalties
    face: Face


Moment = Hand | Rolled | Penalties | Thrown | None


class Race(NamedTuple):
    """The state of one seat.

    Attributes:
        scores: the scores of the completed segments, in order.
        rerolls: how many rerolls are left.
        moment: what comes next in the running segment.
        earned: the points of accepted rolls of 175 in the running segment (GO-20).
        is_over: whether a circled X has ended the race (GO-11).
        as_thrown: whether the last action recorded penalty dice thrown together, which cannot be rerolled (GO-27).
    """

    scores: tuple[int, ...]
    rerolls: int
    moment: Moment = None
    earned: int = 0
    is_over: bool = False
    as_thrown: bool = False


def is_done(setup: Setup, race: Race) -> bool:
    """Return whether the last segment is complete, or the race ended before it (GO-25)."""
    return race.is_over or len(race.scores) == len(setup.course.segments)


def get_total(race: Race) -> int:
    """Return the points of the completed segments and those earned for good in the running one (GO-3, GO-20)."""
    return sum(race.scores) + race.earned

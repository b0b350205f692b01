"""One player's race: the segments completed, and the moment of the one that is running.

Terms: the *moment* says what comes next. It is None while the dice of a segment are to be chosen, a `Hand` of dice to
be rolled, a roll that lies there, penalty rolls that are due, or a penalty roll that lies there. The *end* of a roll
is the clause by which it ends the segment; a roll without one leaves dice to lock.

Invariants: `scores` has an entry for each completed segment, so its length is the index of the running one. `is_over`
is only set between segments.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core.reading import Face
from games.go_500.course import Course
from games.go_500.kit import Die

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
        black: how many black dice.
        no_green: the clause that keeps the green die out of it (GO-4, GO-8 or GO-14); None while it is in.
        locked: the sum of the dice locked so far in this turn.
    """

    black: int
    no_green: str | None
    locked: int = 0


class Rolled(NamedTuple):
    """A roll that may be rerolled: the hand it was made of, what it shows, the segment's total with it, its end."""

    hand: Hand
    black: Dice
    green: Face | None
    total: int
    end: str | None


class Penalties(NamedTuple):
    """Penalty rolls that are due before the segment is complete.

    Attributes:
        rule: the clause that asks for them: GO-10 for the yellow die, GO-11 or GO-13 for the red one.
        due: how many; a second roll belongs to its first.
        score: the segment's score with the penalties so far.
        is_second: whether the next roll is the second one that a crash or a circled X called for.
        ends_race: whether a circled X on a second roll has ended the race.
    """

    rule: str
    due: int
    score: int
    is_second: bool = False
    ends_race: bool = False


class Thrown(NamedTuple):
    """A penalty roll that may be rerolled, and what was due before it."""

    penalties: Penalties
    face: Face


Moment = Hand | Rolled | Penalties | Thrown | None


class Race(NamedTuple):
    """The state of one seat.

    Attributes:
        scores: of the completed segments, in their order.
        rerolls: how many are left.
        moment: where the running segment stands.
        earned: by accepted rolls of 175 in the running segment (GO-20).
        is_over: whether a circled X has ended the race (GO-11).
        as_thrown: whether the last action noted penalty dice thrown together, which stand (GO-27).
    """

    scores: tuple[int, ...]
    rerolls: int
    moment: Moment = None
    earned: int = 0
    is_over: bool = False
    as_thrown: bool = False


def is_done(setup: Setup, race: Race) -> bool:
    """Say whether the last segment is complete, or the race ended before it (GO-25)."""
    return race.is_over or len(race.scores) == len(setup.course.segments)


def get_total(race: Race) -> int:
    """Return the completed segments and what the running one has earned for good (GO-3, GO-20)."""
    return sum(race.scores) + race.earned

"""Who would sit with whom: scorecards for many people at once, worked out from their order alone.

Terms: a *way* is how they are put together. A *plan* is the tables, each with its people in the order of their seats,
and those *left over*, for whom no seat remains. Nothing is drawn by lot here: whoever wants chance draws real lots
and puts the people into that order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt
from typing import Any, Generic, Literal, TypeVar

from games.core.game import Game

T = TypeVar("T")

Grouping = Literal["alone", "tables", "pairs", "everybody"]


@dataclass(frozen=True, slots=True)
class SeatLimits:
    """What a game takes: the seats of a card, least and most (None: no limit), and whether anybody may have several."""

    low: int
    high: int | None
    many_cards: bool

    @property
    def groupings(self) -> tuple[Grouping, ...]:
        """The ways that fit the game, the usual one first."""
        if self.high == 1:
            return ("alone",)
        if self.high == 2:
            return ("everybody", "pairs") if self.many_cards else ("pairs",)
        return ("tables",)


def get_seat_limits(game: Game[Any]) -> SeatLimits:
    """Return what a game takes; independent seats have a card each."""
    low, high = (1, 1) if game.independent else game.seat_limits
    return SeatLimits(low, high, game.many_cards)


@dataclass(frozen=True, slots=True)
class SeatingPlan(Generic[T]):
    """Tables to be drawn up."""

    tables: tuple[tuple[T, ...], ...]
    left_over: tuple[T, ...] = ()


def make_seating_plan(way: Grouping, people: Sequence[T], limits: SeatLimits, size: int = 2) -> SeatingPlan[T]:
    """Return who would sit with whom.

    Args:
        way: one of the game's ways.
        people: in their order; nobody twice.
        size: for "tables", how many sit at one at most, unless the game needs more.
    """
    match way:
        case "alone":
            return SeatingPlan(tuple((one,) for one in people))
        case "everybody":
            return SeatingPlan(tuple(_pair_round_robin(people)), tuple(people) if len(people) < 2 else ())
        case "pairs":
            return _split_evenly(people, 2, limits)
        case "tables":
            return _split_evenly(people, size, limits)


def count_cards(way: Grouping, people: int, limits: SeatLimits, size: int = 2) -> int:
    """Return how many scorecards a plan for so many people has."""
    if way == "everybody":
        return people * (people - 1) // 2
    return len(make_seating_plan(way, range(people), limits, size).tables)


def count_round_robin_players(cards: int) -> int:
    """Return how many people can all meet each other on so many scorecards."""
    return (1 + isqrt(1 + 8 * cards)) // 2


def _split_evenly(people: Sequence[T], size: int, limits: SeatLimits) -> SeatingPlan[T]:
    """Put neighbours together, at tables of which none has two people more than another."""
    # As few tables as hold everybody, but no more than have the people that the game needs.
    count = min(-(-len(people) // size), len(people) // limits.low)
    if count == 0:
        return SeatingPlan((), tuple(people))
    seated = len(people) if limits.high is None else min(len(people), count * limits.high)
    least, longer = divmod(seated, count)
    starts = [number * least + min(number, longer) for number in range(count + 1)]
    tables = tuple(tuple(people[start:end]) for start, end in pairwise(starts))
    return SeatingPlan(tables, tuple(people[seated:]))


def _pair_round_robin(people: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Return each two once, in rounds in which nobody sits twice: one stays, the others go round in a circle."""
    count = len(people)
    circle = count - 1 + count % 2  # with an odd number nobody stays: whoever would meet that seat has a rest
    for turn in range(circle):
        pairs = [] if count % 2 else [(circle, turn)]
        pairs += [((turn + step) % circle, (turn - step) % circle) for step in range(1, (circle + 1) // 2)]
        for one, other in pairs:
            first, second = (one, other) if _has_first_seat(one, other, count) else (other, one)
            yield people[first], people[second]


def _has_first_seat(one: int, other: int, count: int) -> bool:
    """Whether one sits first against the other: against the half that follows in the order, so that it evens out."""
    ahead = (other - one) % count
    return 2 * ahead < count or (2 * ahead == count and one < other)

"""Seating plans: who sits with whom, for many people at once, computed from their order alone.

Terms: a *grouping* is how people are put together. A *plan* is the tables, each with its people in seat order, and
those *left over*, for whom there is no seat. Nothing is random here: an organiser who wants a draw holds a real one
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
    """How many seats a table may have.

    Attributes:
        low: the fewest seats.
        high: the most seats; None for no limit.
        many_cards: whether one player may have several tables.
    """

    low: int
    high: int | None
    many_cards: bool

    @property
    def groupings(self) -> tuple[Grouping, ...]:
        """The groupings that fit the game, the usual one first."""
        if self.high == 1:
            return ("alone",)
        if self.high == 2:
            return ("everybody", "pairs") if self.many_cards else ("pairs",)
        return ("tables",)


def get_seat_limits(game: Game[Any]) -> SeatLimits:
    """Return the seat limits of a game; where seats play independently, each has a table of its own."""
    low, high = (1, 1) if game.independent else game.seat_limits
    return SeatLimits(low, high, game.many_cards)


@dataclass(frozen=True, slots=True)
class SeatingPlan(Generic[T]):
    """Tables to create."""

    tables: tuple[tuple[T, ...], ...]
    left_over: tuple[T, ...] = ()


def make_seating_plan(grouping: Grouping, people: Sequence[T], limits: SeatLimits, size: int = 2) -> SeatingPlan[T]:
    """Return the plan for these people.

    Args:
        grouping: one of the game's groupings.
        people: in order, without duplicates.
        size: for "tables", the most people at one table, unless the game needs more.
    """
    match grouping:
        case "alone":
            return SeatingPlan(tuple((person,) for person in people))
        case "everybody":
            return SeatingPlan(tuple(_pair_round_robin(people)), tuple(people) if len(people) < 2 else ())
        case "pairs":
            return _split_evenly(people, 2, limits)
        case "tables":
            return _split_evenly(people, size, limits)


def count_cards(grouping: Grouping, people: int, limits: SeatLimits, size: int = 2) -> int:
    """Return how many tables a plan for this many people has."""
    if grouping == "everybody":
        return people * (people - 1) // 2
    return len(make_seating_plan(grouping, range(people), limits, size).tables)


def count_round_robin_players(cards: int) -> int:
    """Return how many people can play a full round robin with this many tables."""
    return (1 + isqrt(1 + 8 * cards)) // 2


def _split_evenly(people: Sequence[T], size: int, limits: SeatLimits) -> SeatingPlan[T]:
    """Put neighbours together, at tables whose sizes differ by at most one."""
    # As few tables as seat everyone, but only as many as reach the game's minimum.
    count = min(-(-len(people) // size), len(people) // limits.low)
    if count == 0:
        return SeatingPlan((), tuple(people))
    seated = len(people) if limits.high is None else min(len(people), count * limits.high)
    least, longer = divmod(seated, count)
    starts = [number * least + min(number, longer) for number in range(count + 1)]
    tables = tuple(tuple(people[start:end]) for start, end in pairwise(starts))
    return SeatingPlan(tables, tuple(people[seated:]))


def _pair_round_robin(people: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Return each pair once, in rounds in which nobody plays twice (the circle method: one stays, the rest rotate)."""
    count = len(people)
    circle = count - 1 + count % 2  # with an odd number nobody stays, and the person without an opponent sits out
    for turn in range(circle):
        pairs = [] if count % 2 else [(circle, turn)]
        pairs += [((turn + step) % circle, (turn - step) % circle) for step in range(1, (circle + 1) // 2)]
        for one, other in pairs:
            first, second = (one, other) if _has_first_seat(one, other, count) else (other, one)
            yield people[first], people[second]


def _has_first_seat(one: int, other: int, count: int) -> bool:
    """Whether one has the first seat against other: against the half that follows in the order, to even it out."""
    ahead = (other - one) % count
    return 2 * ahead < count or (2 * ahead == count and one < other)

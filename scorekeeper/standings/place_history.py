"""How the places of a contest changed from turn to turn, worked out from a report.

Terms: a *step* is a slot of the contest, in order. The place after a step is by the points of all turns up to and
including it, with the ranking that every result uses.

- Before its first roll an entrant has no place. A missed turn is no roll.
- Points that a card gets beyond its turns, such as bonuses, come at the end. So do retiring and cuts: the final place
  is the one in the standings of the report.
- Contests at tables have no steps, so they have no history.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from uuid import UUID

from games.core.ranking import rank
from games.core.standing import Standing
from scorekeeper.standings.contest_report import CardReport, ContestReport

K = TypeVar("K", bound=Hashable)


class Step(NamedTuple):
    """A slot, and the name of the stop where it was rolled."""

    ordinal: int
    stop: str


class PlaceAfter(NamedTuple):
    """An entrant's place after a step."""

    rank: int
    is_tied: bool

    @property
    def label(self) -> str:
        """ "2", or "2=" for a shared place."""
        return f"{self.rank}=" if self.is_tied else str(self.rank)


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """The places of one entrant.

    Attributes:
        number: of the bike.
        places: after each step; None before the first roll.
        final: in the standings.
    """

    entrant_id: UUID
    number: str
    places: tuple[PlaceAfter | None, ...]
    final: PlaceAfter


@dataclass(frozen=True, slots=True)
class PlaceHistory:
    """The places of everyone in the ranking, in the order of the standings."""

    steps: tuple[Step, ...]
    lines: tuple[PlaceLine, ...]


def make_place_history(report: ContestReport, *, lowest_wins: bool) -> PlaceHistory | None:
    """Return how the places in a report changed; None if there are no steps, or fewer than two entrants.

    Args:
        lowest_wins: whether a smaller total is better.
    """
    cards = [card for card in report.cards if not card.table]
    stops = {turn.ordinal: turn.stop for card in cards for turn in card.turns}
    steps = tuple(Step(ordinal, stops[ordinal]) for ordinal in sorted(stops))
    if not steps or len(report.rows) < 2:
        return None
    rolled = {card.entrant_id: _get_points(card) for card in cards}
    by_step = [rank_after(rolled, step.ordinal, lowest_wins=lowest_wins) for step in steps]
    lines = (
        PlaceLine(
            row.entrant_id,
            row.number,
            tuple(places.get(row.entrant_id) for places in by_step),
            PlaceAfter(row.rank, row.is_tied),
        )
        for row in report.rows
        if row.rank is not None
    )
    return PlaceHistory(steps, tuple(lines))


def rank_after(rolled: Mapping[K, Mapping[int, int]], last: int, *, lowest_wins: bool) -> dict[K, PlaceAfter]:
    """Return the places by the points of the turns up to a slot, of everyone who had rolled by then.

    Args:
        rolled: the points of each turn that was rolled, by the ordinal of its slot, for each entrant.
        last: the ordinal of the slot.
        lowest_wins: whether a smaller total is better.
    """
    sign = -1 if lowest_wins else 1
    standings = {}
    for entrant, turns in rolled.items():
        counted = [points for ordinal, points in turns.items() if ordinal <= last]
        if counted:
            total = sum(counted)
            standings[entrant] = Standing(total, (sign * total,))
    return {
        entrant: PlaceAfter(place.rank, is_tied=len(place.seats) > 1)
        for place in rank(standings).places
        for entrant in place.seats
    }


def _get_points(card: CardReport) -> dict[int, int]:
    return {turn.ordinal: turn.points for turn in card.turns if turn.how != "missed"}

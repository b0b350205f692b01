"""How the places of a contest changed from turn to turn, worked out from a report.

Terms: a *step* is a slot of the contest, in order. The place after a step is by all turns up to and including it, as
the game ranks them (`Game.standing_after`), with the ranking that every result uses.

- Before its first roll an entrant has no place. A missed turn is no roll, but it counts for what the game says.
- Points that a card gets beyond its turns, such as bonuses, come at the end. So do retiring and cuts: the final place
  is the one in the standings of the report.
- Contests at tables have no steps, so they have no history.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from uuid import UUID

from games.core.game import Ruleset
from games.core.ranking import rank
from games.core.sheet import Turn as TurnResult
from scorekeeper.standings.contest_report import ContestReport

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


def make_place_history(report: ContestReport, ruleset: Ruleset) -> PlaceHistory | None:
    """Return how the places in a report changed; None if there are no steps, or fewer than two entrants.

    Args:
        ruleset: of the contest.
    """
    cards = [card for card in report.cards if not card.table]
    stops = {turn.ordinal: turn.stop for card in cards for turn in card.turns}
    steps = tuple(Step(ordinal, stops[ordinal]) for ordinal in sorted(stops))
    if not steps or len(report.rows) < 2:
        return None
    turns = {card.entrant_id: {turn.ordinal: turn.to_result() for turn in card.turns} for card in cards}
    by_step = [rank_after(turns, step.ordinal, ruleset) for step in steps]
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


def rank_after(turns: Mapping[K, Mapping[int, TurnResult]], last: int, ruleset: Ruleset) -> dict[K, PlaceAfter]:
    """Return the places by the turns up to a slot, of everyone who had rolled by then.

    Args:
        turns: the turns of each entrant that have ended, by the ordinal of their slot.
        last: the ordinal of the slot.
        ruleset: of the contest.
    """
    standings = {}
    for entrant, by_ordinal in turns.items():
        counted = [by_ordinal[ordinal] for ordinal in sorted(by_ordinal) if ordinal <= last]
        if any(turn.how != "missed" for turn in counted):
            standings[entrant] = ruleset.game.standing_after(ruleset, counted)
    return {
        entrant: PlaceAfter(place.rank, is_tied=len(place.seats) > 1)
        for place in rank(standings).places
        for entrant in place.seats
    }

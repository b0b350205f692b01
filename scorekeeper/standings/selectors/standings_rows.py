"""Building standings rows: an entrant's figures, and its place among tied entrants."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import groupby
from typing import TypeVar
from uuid import UUID

from games.core.ranking import Ranking
from games.core.standing import order_key
from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.standings.entrants import EntrantResult
from scorekeeper.standings.models import StandingsRow

K = TypeVar("K", bound=Hashable)

ROW_FIELDS = [
    *("bike", "player", "total", "best_total", "worst_total", "order_key"),
    *("status", "turns_done", "last_change", "log_length"),
]


def make_standings_row(contest_id: UUID, entrant_result: EntrantResult) -> StandingsRow:
    """Return the row of an entrant, unsaved and without a place by cuts."""
    reach = entrant_result.reach
    return StandingsRow(
        id=derive_card_id(contest_id, entrant_result.entrant_id),
        contest_id=contest_id,
        bike_id=entrant_result.entrant_id if isinstance(entrant_result.entrant, Bike) else None,
        player_id=entrant_result.entrant_id if isinstance(entrant_result.entrant, Player) else None,
        total=entrant_result.standing.total,
        best_total=None if reach is None or reach.best is None else reach.best.total,
        worst_total=None if reach is None or reach.worst is None else reach.worst.total,
        order_key=order_key(entrant_result.standing.order),
        status=entrant_result.standing.status,
        turns_done=entrant_result.turn_count,
        last_change=entrant_result.last_change,
        log_length=entrant_result.log_length,
    )


def compute_tie_keys(ranking: Ranking[K], order_keys: Mapping[K, bytes]) -> dict[K, int]:
    """Return each entrant's place by cuts: from 1 within a tied group, 0 where no cut counts."""
    keys = dict.fromkeys(order_keys, 0)
    for _, tied_places in groupby(ranking.places, key=lambda place: order_keys[place.seats[0]]):
        for number, place in enumerate(tied_places, 1):
            keys.update(dict.fromkeys(place.seats, number if place.cuts else 0))
    return keys

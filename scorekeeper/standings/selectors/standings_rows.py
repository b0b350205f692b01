"""Building standings rows: a holder's figures, and its place among tied holders."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from uuid import UUID

from games.core.ranking import Ranking
from games.core.standing import order_key
from scorekeeper.bikes.models import Bike
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.standings.entrants import Entrant
from scorekeeper.standings.models import StandingsRow

ROW_FIELDS = [
    *("bike", "player", "total", "best_total", "worst_total", "order_key"),
    *("status", "turns_done", "last_change", "log_length"),
]


def make_standings_row(contest_id: UUID, entrant: Entrant) -> StandingsRow:
    """Return the row of an entrant, unsaved and without a place by cuts."""
    reach = entrant.reach
    return StandingsRow(
        id=derive_card_id(contest_id, entrant.holder_id),
        contest_id=contest_id,
        bike_id=entrant.holder_id if isinstance(entrant.holder, Bike) else None,
        player_id=entrant.holder_id if isinstance(entrant.holder, Player) else None,
        total=entrant.standing.total,
        best_total=None if reach is None or reach.best is None else reach.best.total,
        worst_total=None if reach is None or reach.worst is None else reach.worst.total,
        order_key=order_key(entrant.standing.order),
        status=entrant.standing.status,
        turns_done=entrant.turn_count,
        last_change=entrant.last_change,
        log_length=entrant.log_length,
    )


def compute_tie_keys(ranking: Ranking[UUID], rows: Mapping[UUID, StandingsRow]) -> dict[UUID, int]:
    """Return each holder's place by cuts: from 1 within a tied group, 0 where no cut counts."""
    keys = dict.fromkeys(rows, 0)
    for _, tied_places in groupby(ranking.places, key=lambda place: bytes(rows[place.seats[0]].order_key)):
        for number, place in enumerate(tied_places, 1):
            keys.update(dict.fromkeys(place.seats, number if place.cuts else 0))
    return keys

"""The sweeper: refreshes standings that a lost message, a dead worker or an unavailable broker left stale.

Two things show that the standings of a contest are stale: a `StaleCard` row that nobody has processed, and cards whose
chains are longer than what their entrant's row includes. The first check costs almost nothing and runs all the time.
The second reads every card; it covers `StaleCard` rows that were deleted by hand, so it runs only now and then.

Invariant: the sweeper needs the database and nothing else. No broker, worker or clock decides whether, or when, it
finds something.
"""

from __future__ import annotations

from uuid import UUID

import structlog
from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Now

from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.ledger.models import StaleCard
from scorekeeper.scorecards.models import Seat
from scorekeeper.standings.models import LastSweep, StandingsRow
from scorekeeper.standings.services.refresh import refresh_standings

log = structlog.get_logger("tailgunner.sweeper")


def sweep() -> None:
    """Refresh every stale contest, and record the sweep for monitoring."""
    refresh_stale_contests()
    if not LastSweep.objects.update(count=F("count") + 1, at=Now()):
        LastSweep.objects.bulk_create([LastSweep(count=1, at=Now())], ignore_conflicts=True)


def refresh_stale_contests() -> list[UUID]:
    """Refresh every stale contest; return which ones were stale.

    A contest that cannot be refreshed is logged and left for the next sweep. It does not block the others.

    Raises:
        OperationalError, InterfaceError: the database is unavailable.
    """
    stale_contests = sorted(StaleCard.objects.order_by().values_list("contest_id", flat=True).distinct())
    for contest_id in stale_contests:
        try:
            refresh_standings(contest_id)
        except Exception as error:
            if is_database_unavailable(error):
                raise
            log.exception("contest_not_swept", contest=str(contest_id))
    return stale_contests


def mark_outgrown_cards() -> None:
    """Mark cards as stale, for the next sweep, whose chains have grown beyond their entrant's row."""
    seats = Seat.objects.filter(bike__merged_into=None)
    rows = StandingsRow.objects.filter(contest=OuterRef("contest_id"))
    row = rows.filter(Q(bike=OuterRef("bike_id")) | Q(player=OuterRef("player_id")))
    grown = (
        seats.values("contest_id", "bike_id", "player_id")
        .annotate(length=Sum("card__chain__length"), seen=Subquery(row.values("log_length")[:1]))
        .filter(Q(seen=None, length__gt=0) | Q(length__gt=F("seen")))
    )
    entrants = {(row["contest_id"], row["bike_id"] or row["player_id"]) for row in grown}
    if not entrants:
        return
    entrant_seats = seats.filter(contest_id__in={contest for contest, _entrant in entrants})
    cards = {
        (contest, card)
        for contest, card, bike, player in entrant_seats.values_list("contest_id", "card_id", "bike_id", "player_id")
        if (contest, bike or player) in entrants
    }
    StaleCard.objects.bulk_create(StaleCard(contest_id=contest, card_id=card) for contest, card in sorted(cards))

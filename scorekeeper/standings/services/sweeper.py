"""The sweeper: finds what a lost message, a dead worker or an absent broker left behind.

Two signs tell that the standings of a contest are behind: an `Outdated` row that nobody took in, and cards whose chains
are longer than what their holder's row has seen. The first costs nothing to look for, and is looked for all the time.
The second reads every card there is; it is for rows of `Outdated` that somebody deleted by hand, and so is for now and
then.

Invariant: it needs the database and nothing else. Neither a broker nor a worker nor anybody's clock decides whether, or
when, it finds something.
"""

from __future__ import annotations

from uuid import UUID

import structlog
from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Now

from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.scorecards.models import Seat, StaleCard
from scorekeeper.standings.models import LastSweep, StandingsRow
from scorekeeper.standings.services.refresh import refresh_standings

log = structlog.get_logger("tailgunner.sweeper")


def sweep() -> None:
    """Bring every contest up to date that is behind, and keep for whoever watches that it was done."""
    refresh_stale_contests()
    if not LastSweep.objects.update(count=F("count") + 1, at=Now()):
        LastSweep.objects.bulk_create([LastSweep(count=1, at=Now())], ignore_conflicts=True)


def refresh_stale_contests() -> list[UUID]:
    """Bring every contest up to date that is behind; return which were.

    One that cannot be brought up to date is logged and left for the next sweep, and keeps nobody else back.

    Raises:
        OperationalError, InterfaceError: the database is away.
    """
    behind = sorted(StaleCard.objects.order_by().values_list("contest_id", flat=True).distinct())
    for contest_id in behind:
        try:
            refresh_standings(contest_id)
        except Exception as error:
            if is_database_unavailable(error):
                raise
            log.exception("contest_not_swept", contest=str(contest_id))
    return behind


def mark_outgrown_cards() -> None:
    """Mark the cards of holders whose chains have grown beyond their rows as outdated, for the next sweep."""
    seats = Seat.objects.filter(bike__merged_into=None)
    rows = StandingsRow.objects.filter(contest=OuterRef("contest_id"))
    row = rows.filter(Q(bike=OuterRef("bike_id")) | Q(player=OuterRef("player_id")))
    grown = (
        seats.values("contest_id", "bike_id", "player_id")
        .annotate(length=Sum("card__chain__length"), seen=Subquery(row.values("log_length")[:1]))
        .filter(Q(seen=None, length__gt=0) | Q(length__gt=F("seen")))
    )
    holders = {(row["contest_id"], row["bike_id"] or row["player_id"]) for row in grown}
    if not holders:
        return
    theirs = seats.filter(contest_id__in={contest for contest, _holder in holders})
    cards = {
        (contest, card)
        for contest, card, bike, player in theirs.values_list("contest_id", "card_id", "bike_id", "player_id")
        if (contest, bike or player) in holders
    }
    StaleCard.objects.bulk_create(StaleCard(contest_id=contest, card_id=card) for contest, card in sorted(cards))

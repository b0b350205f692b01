"""The sweeper: finds what a lost message, a dead worker or an absent broker left behind.

Two signs tell that the standings of a contest are behind: an `Outdated` row that nobody took in, and a card whose
chain is longer than what the row has seen.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import F, OuterRef, Q, Subquery

from scorekeeper.scorecards.models import Outdated, Seat
from scorekeeper.standings.models import StandingsRow
from scorekeeper.standings.services.follow import follow_contest


def sweep_contests() -> list[UUID]:
    """Bring every contest up to date that is behind; return which were."""
    behind = set(Outdated.objects.values_list("contest_id", flat=True).distinct())
    behind |= mark_behind()
    for contest_id in sorted(behind):
        follow_contest(contest_id)
    return sorted(behind)


def mark_behind() -> set[UUID]:
    """Mark the cards whose chains have grown beyond their rows as outdated; return their contests."""
    seen = StandingsRow.objects.filter(pk=OuterRef("card_id")).values("log_length")
    grown = (
        Seat.objects.filter(bike__merged_into=None)
        .annotate(length=F("card__chain__length"), seen=Subquery(seen[:1]))
        .filter(Q(seen=None, length__gt=0) | Q(length__gt=F("seen")))
        .values_list("contest_id", "card_id")
    )
    found = [Outdated(contest_id=contest, card_id=card) for contest, card in grown]
    Outdated.objects.bulk_create(found)
    return {row.contest_id for row in found}

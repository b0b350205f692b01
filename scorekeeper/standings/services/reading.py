"""Reading the figures of a contest, so that all that is shown comes from one version of its standings.

Leaderboards show the stored standings, which a worker refreshes a moment after each entry. Scorecards, files and the
pages of one bike are folded from the log, so they would be ahead of the leaderboards: by a moment as usual, by hours
while no worker runs.

- Whoever reads the log first stores in the standings what is stale. So nothing is ever shown that the standings do not
  have, and all pages, files and screens agree, also while worker and sweeper are down.
- A leaderboard is refreshed by its reader only if no worker has done so for `OVERDUE`: usually one is at it already.
- The official result and a freeze are read from what they stored, so nothing is refreshed for them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection
from typing import TypeVar
from uuid import UUID

import structlog
from django.db.models import F, Min
from django.db.models.functions import Coalesce
from django.utils import timezone

from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain, Entry, StaleCard
from scorekeeper.standings.services.refresh import refresh_standings

T = TypeVar("T")

OVERDUE = dt.timedelta(seconds=2)
# Each takes in what arrived during the one before. After the last, the figures may be ahead by one entry for a moment.
ATTEMPTS = 3

log = structlog.get_logger("tailgunner.standings")


def read_figures(contest: Contest, read: Callable[[], T]) -> T:
    """Return figures that are folded from the log, once the standings have all that they include.

    Args:
        read: folds them, and reads how official they are and as of when.
    """
    if contest.status == Contest.Status.OFFICIAL:
        return read()
    for _attempt in range(ATTEMPTS):
        if _is_stale(contest):
            _refresh(contest.pk)
        figures = read()
        if not _is_stale(contest):
            break
    return figures


def refresh_overdue(contests: Collection[Contest]) -> None:
    """Refresh those of the contests whose entries no worker has included for `OVERDUE`; usually one statement."""
    live = [contest.pk for contest in contests if contest.status != Contest.Status.OFFICIAL]
    stale = StaleCard.objects.filter(contest__in=live).annotate(chain=Coalesce(F("card_id"), F("contest_id")))
    waiting = list(stale.values_list("contest_id", "chain")) if live else []
    if not waiting:
        return
    # Its last entry says since when a card waits, at the least.
    chains = Chain.objects.filter(pk__in=[chain for _contest, chain in waiting])
    last = Entry.objects.filter(chain__in=chains, seq=F("chain__length"))
    oldest = last.aggregate(at=Min("at"))["at"]
    if oldest is not None and timezone.now() - oldest >= OVERDUE:
        for contest_id in dict.fromkeys(contest for contest, _chain in waiting):
            _refresh(contest_id)


def _is_stale(contest: Contest) -> bool:
    return StaleCard.objects.filter(contest=contest).exists()


def _refresh(contest_id: UUID) -> None:
    """Refresh a contest. One that cannot be refreshed is logged, and read as it is."""
    try:
        refresh_standings(contest_id)
    except Exception as error:
        if is_database_unavailable(error):
            raise
        log.exception("contest_not_refreshed_for_reader", contest=str(contest_id))

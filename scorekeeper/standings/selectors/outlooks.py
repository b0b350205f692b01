"""What everybody in an open contest can still come to, as the standings keep it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.standings.models import IS_RANKED, StandingsRow
from scorekeeper.standings.outlook import Outlook, ScoreRange, compute_outlooks


def get_outlook(contest: Contest, holder_id: UUID) -> Outlook | None:
    """Return what one holder can still come to; one statement."""
    rows = StandingsRow.objects.filter(IS_RANKED, contest=contest, bike__merged_into=None)
    return list_outlooks(contest, rows).get(holder_id)


class OutlookInput(Protocol):
    """What a row of the standings tells of its holder's chances."""

    @property
    def holder_id(self) -> UUID: ...
    @property
    def status(self) -> str: ...
    @property
    def total(self) -> int: ...
    @property
    def best_total(self) -> int | None: ...
    @property
    def worst_total(self) -> int | None: ...


def list_outlooks(contest: Contest, rows: Iterable[OutlookInput]) -> Mapping[UUID, Outlook]:
    """Return what each holder can still come to; nothing once the contest is closed, or where the game does not tell.

    Args:
        rows: of all who take part.
    """
    if contest.status != Contest.Status.OPEN:
        return {}
    hopes = []
    for row in rows:
        if row.status == StandingsRow.Status.RETIRED:
            continue
        if row.best_total is None or row.worst_total is None:
            # As long as it is not known of one, nothing can be said of any.
            return {}
        hopes.append(ScoreRange(row.holder_id, row.total, row.best_total, row.worst_total))
    return compute_outlooks(hopes, contest.prizes, lowest_wins=contest.game.lowest_wins)

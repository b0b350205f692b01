"""The outlooks of an open contest, from the score ranges stored with its standings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.standings.models import IS_RANKED, StandingsRow
from scorekeeper.standings.outlook import Outlook, ScoreRange, compute_outlooks


def get_outlook(contest: Contest, entrant_id: UUID) -> Outlook | None:
    """Return the outlook of one entrant, in one statement."""
    rows = StandingsRow.objects.filter(IS_RANKED, contest=contest, bike__merged_into=None)
    return list_outlooks(contest, rows).get(entrant_id)


class OutlookInput(Protocol):
    """The part of a standings row that outlooks are computed from."""

    @property
    def entrant_id(self) -> UUID: ...
    @property
    def status(self) -> str: ...
    @property
    def total(self) -> int: ...
    @property
    def best_total(self) -> int | None: ...
    @property
    def worst_total(self) -> int | None: ...


def list_outlooks(contest: Contest, rows: Iterable[OutlookInput]) -> Mapping[UUID, Outlook]:
    """Return the outlook of each entrant; nothing once the contest is closed, or where the game cannot compute it.

    Args:
        rows: of all ranked entrants.
    """
    if contest.status != Contest.Status.OPEN:
        return {}
    ranges = []
    for row in rows:
        if row.status == StandingsRow.Status.RETIRED:
            continue
        if row.best_total is None and row.worst_total is None:
            # While the range of one entrant is unknown, nothing can be said about the others.
            return {}
        is_done = row.status == StandingsRow.Status.DONE
        ranges.append(ScoreRange(row.entrant_id, row.total, row.best_total, row.worst_total, is_done))
    ruleset = contest.ruleset
    return compute_outlooks(
        ranges, contest.prizes, lowest_wins=ruleset.lowest_wins, finished_first=ruleset.finished_first
    )

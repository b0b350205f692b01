"""The tables that somebody sits at, as the public may have them: frozen while official, else as they are played."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.played import get_played_contest
from scorekeeper.standings.report import ReportCard
from scorekeeper.standings.selectors.reports import list_parts
from scorekeeper.standings.selectors.revisions import get_frozen_report, get_last_revision
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.selectors.folding import fold_tables, list_cards_of, number_tables


@dataclass(frozen=True)
class ShownTable:
    """A table with what the score sheet says of each seat.

    Attributes:
        parts: one for each seat, in the order of the play.
        live: the game as it stands, a damaged one as far as it can be played; None in an official result.
    """

    number: int
    parts: tuple[ReportCard, ...]
    live: SeatedTable | None


def list_tables_of(contest: Contest, holder_id: UUID) -> list[ShownTable]:
    """Return the tables that a bike or a player sits at, in the order of their numbers; a fixed number of statements.

    An official result has those at which something was noted.
    """
    if contest.status == Contest.Status.OFFICIAL:
        revision = get_last_revision(contest)
        assert revision is not None, "a contest is official from its first revision on"
        frozen = get_frozen_report(revision).list_tables(holder_id)
        return [ShownTable(parts[0].table, tuple(parts), None) for parts in frozen]
    tables = fold_tables(get_played_contest(contest.pk), list_cards_of(contest.pk, [holder_id]))
    numbers = number_tables(contest.pk)
    return [ShownTable(numbers[table.id], tuple(list_parts(table, numbers[table.id])), table) for table in tables]

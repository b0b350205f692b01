"""The tables of an entrant: of the last revision while the contest is official, otherwise as currently played."""

from __future__ import annotations

from uuid import UUID

from games.core.prospects import Prospect
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.scorecards.selectors.tables import fold_tables, list_card_ids, number_tables
from scorekeeper.standings.entrant_table import EntrantTable
from scorekeeper.standings.selectors.reports import list_seat_reports
from scorekeeper.standings.selectors.revisions import get_frozen_report, get_last_revision


def list_current_tables(contest: Contest, entrant_id: UUID) -> list[EntrantTable]:
    """Return the tables of a bike or a player, in the order of their numbers, in a fixed number of statements.

    An official result contains only tables where something was recorded.
    """
    if contest.status == Contest.Status.OFFICIAL:
        revision = get_last_revision(contest)
        assert revision is not None, "a contest is official from its first revision on"
        frozen = get_frozen_report(revision).list_tables(entrant_id)
        return [EntrantTable.from_reports(parts) for parts in frozen]
    tables = fold_tables(get_contest_rules(contest.pk), list_card_ids(contest.pk, [entrant_id]))
    numbers = number_tables(contest.pk)
    return [
        EntrantTable(
            numbers[table.id],
            tuple(list_seat_reports(table, numbers[table.id], {})),
            table,
            _list_prospects(contest, table),
        )
        for table in tables
    ]


def _list_prospects(contest: Contest, table: TableWithEntrants) -> tuple[tuple[Prospect, ...], ...]:
    """Return what is still possible at a table where something was recorded."""
    if contest.status != Contest.Status.OPEN or table.damaged_from is not None or not table.turn_count:
        return ()
    return tuple(contest.game.prospects(table.state, seat) for seat in range(len(table.entrants)))

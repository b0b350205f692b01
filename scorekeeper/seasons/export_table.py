"""The standings of a season as a table."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scorekeeper.results.exports.export_tables import CellValue, ExportTable
from scorekeeper.seasons.selectors.standings import PresentedRow, RoundCell, SeasonStandings


def make_season_table(standings: SeasonStandings) -> ExportTable:
    """Return a row for each rider, with the place and the points of every round; a dropped result is in brackets."""
    rounds = {
        f"round_{number}": f"{one.round.contest.event.name}, {one.round.contest.name}"
        for number, one in enumerate(standings.rounds, 1)
    }
    headings = {"place": _("Place"), "rider": _("Rider"), "total": _("Points"), **rounds}
    return ExportTable(_("Standings"), headings, (_make_row(row) for row in standings.rows), fixed=2)


def _make_row(row: PresentedRow) -> list[CellValue]:
    return [row.row.rank_label, row.name, row.row.total, *(_format_cell(cell) for cell in row.cells)]


def _format_cell(cell: RoundCell | None) -> CellValue:
    if cell is None:
        return None
    return cell.result.points if cell.result.counts else f"({cell.result.points})"

"""The luck-adjusted table of a closed contest as a table for files. It decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from scorekeeper.api.contest_results import ContestResults
from scorekeeper.results.exports.export_tables import (
    CellValue,
    ExportTable,
    make_holder_cells,
    make_holder_headings,
)
from scorekeeper.standings.luck_table import LuckRow

FIGURES = frozenset(["adjusted", "expected", "luck", "loss", "unsplit", "missed"])


def make_luck_export(results: ContestResults) -> ExportTable | None:
    """Return the luck-adjusted table; None where there is none, and while it has yet to be computed."""
    if results.luck_rows is None:
        return None
    about = make_holder_headings(results)
    headings = {
        **about,
        "adjusted": _("Total without luck"),
        "total": results.headings.total,
        "expected": _("Expected before the first roll"),
        "luck": _("Luck"),
        "loss": _("Cost of choices"),
        "unsplit": _("Not recorded roll by roll"),
        "missed": _("Missed turns and retiring"),
        "recorded": _("Enough recorded"),
        "place": _("Place in the standings"),
        "result": _("Result"),
    }
    rows = _list_rows(results, results.luck_rows)
    return ExportTable(_("Luck and choices"), headings, rows, fixed=len(about), tenths=FIGURES)


def _list_rows(results: ContestResults, rows: Sequence[LuckRow]) -> Iterator[list[CellValue]]:
    for one in rows:
        balance = one.balance
        yield [
            *make_holder_cells(results, one.row),
            None if one.adjusted is None else float(one.adjusted),
            one.row.total,
            float(balance.start),
            float(balance.luck),
            float(balance.loss),
            float(balance.unsplit),
            float(balance.missed),
            _("Yes") if one.is_recorded else _("No"),
            one.row.rank_label,
            results.official_text,
        ]

"""A table of an entrant, with the score sheet of each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.prospects import Prospect
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.standings.contest_report import CardReport


@dataclass(frozen=True)
class EntrantTable:
    """A table.

    Attributes:
        seat_reports: one for each seat, in seat order.
        live_table: the current game, a damaged one as far as it can be replayed; None in an official result and in a
            freeze.
        prospects: what each seat needs and what is decided at the table, in seat order; nothing unless the contest is
            open and not frozen.
    """

    number: int
    seat_reports: tuple[CardReport, ...]
    live_table: TableWithEntrants | None
    prospects: tuple[tuple[Prospect, ...], ...] = ()

    @classmethod
    def from_reports(cls, reports: Sequence[CardReport]) -> EntrantTable:
        """Return a table whose game is not shown, from the reports of its seats."""
        return cls(reports[0].table, tuple(reports), None)

"""The tables of a contest as lists show them: who sits where, whose turn it is, and the progress of the game.

Terms: a table is *new* until something is recorded at it, then *playing*, and *finished* when its game has ended; it is
*damaged* if its log cannot be read or replayed to the end.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.action_wording import join_names
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.scorecards.selectors.seat_names import name_entrants
from scorekeeper.scorecards.selectors.tables import fold_tables
from scorekeeper.scorecards.table_presenter import TemplateData, describe_outcome, present_seats

TableStage = Literal["new", "playing", "finished", "damaged"]


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table in a list.

    Attributes:
        seats: in the order of play, as returned by `present_seats`.
        outcome: how it ended, in words; "" while it is in play.
    """

    id: UUID
    seats: Sequence[TemplateData]
    stage: TableStage
    outcome: str
    last_change: dt.datetime
    can_withdraw: bool

    @property
    def name(self) -> str:
        """The names of the seats as one text: "Ann and Ben"."""
        return join_names([seat["name"] for seat in self.seats])

    @property
    def status_text(self) -> str:
        """Whose turn it is, or how it ended, in words."""
        if self.stage == "damaged":
            return _("The log is damaged")
        if self.outcome:
            return self.outcome
        if self.stage == "new":
            return _("Nothing recorded yet")
        to_act = next((seat["name"] for seat in self.seats if seat["is_to_act"]), None)
        return _("In play") if to_act is None else _("%(name)s to play") % {"name": to_act}


def list_tables(contest: Contest) -> list[TableSummary]:
    """Return the tables of a contest in the order they were created; a fixed number of queries."""
    tables = fold_tables(get_contest_rules(contest.pk))
    names = name_entrants(entrant for table in tables for entrant in table.entrants)
    return [_summarize_table(table, names) for table in tables]


def format_table_count(tables: Sequence[TableSummary]) -> str:
    """Return the number of tables in words: "3 tables, 1 finished"."""
    if not tables:
        return _("No tables yet")
    total = ngettext("%(count)s table", "%(count)s tables", len(tables)) % {"count": len(tables)}
    finished = sum(table.stage == "finished" for table in tables)
    return _("%(tables)s, %(finished)s finished") % {"tables": total, "finished": finished} if finished else total


def _summarize_table(table: TableWithEntrants, names: Mapping[UUID, str]) -> TableSummary:
    game = table.contest.ruleset.game
    seat_names = [names[entrant.pk] for entrant in table.entrants]
    return TableSummary(
        id=table.id,
        seats=present_seats(game, table.state, seat_names),
        stage=_get_stage(table),
        outcome=describe_outcome(game, table.state, seat_names),
        last_change=table.log.last_change,
        can_withdraw=table.can_withdraw,
    )


def _get_stage(table: TableWithEntrants) -> TableStage:
    if table.damaged_from is not None:
        return "damaged"
    if table.is_finished:
        return "finished"
    return "playing" if table.turns else "new"

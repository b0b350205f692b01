"""The tables of a contest as lists show them: who sits where, whose turn it is, and how far they are.

Terms: a table is *new* until something is noted at it, then *playing*, and *finished* when its game is over; *damaged*
when its log cannot be read or played to its end.
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
from scorekeeper.scorecards.played import get_played_contest
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.seats import Shown, say_outcome, show_seats
from scorekeeper.tables.selectors.folding import fold_tables
from scorekeeper.tables.selectors.seats import name_holders
from scorekeeper.tables.wording import list_names

Stage = Literal["new", "playing", "finished", "damaged"]


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table of a list.

    Attributes:
        seats: in the order of the play, as `show_seats` gives them.
        outcome: how it ended, in words; "" while it is played.
    """

    id: UUID
    seats: Sequence[Shown]
    stage: Stage
    outcome: str
    last_change: dt.datetime
    can_withdraw: bool

    @property
    def name(self) -> str:
        """Who sits here, as one text: "Ann and Ben"."""
        return list_names([seat["name"] for seat in self.seats])

    @property
    def turn(self) -> str:
        """Whose turn it is, or how it ended, in words."""
        if self.stage == "damaged":
            return _("The log is damaged")
        if self.outcome:
            return self.outcome
        if self.stage == "new":
            return _("Nothing noted yet")
        to_act = next((seat["name"] for seat in self.seats if seat["acts"]), None)
        return _("In play") if to_act is None else _("%(name)s to play") % {"name": to_act}


def list_tables(contest: Contest) -> list[ListedTable]:
    """Return the tables of a contest in the order they were drawn up; a fixed number of statements."""
    tables = fold_tables(get_played_contest(contest.pk))
    names = name_holders(holder for table in tables for holder in table.holders)
    return [_list_table(table, names) for table in tables]


def say_count(tables: Sequence[ListedTable]) -> str:
    """Return how many there are: "3 tables, 1 finished"."""
    if not tables:
        return _("No tables yet")
    total = ngettext("%(count)s table", "%(count)s tables", len(tables)) % {"count": len(tables)}
    finished = sum(table.stage == "finished" for table in tables)
    return _("%(tables)s, %(finished)s finished") % {"tables": total, "finished": finished} if finished else total


def _list_table(table: SeatedTable, names: Mapping[UUID, str]) -> ListedTable:
    game = table.contest.ruleset.game
    called = [names[holder.pk] for holder in table.holders]
    return ListedTable(
        id=table.id,
        seats=show_seats(game, table.state, called),
        stage=_get_stage(table),
        outcome=say_outcome(game, table.state, called),
        last_change=table.log.last_change,
        can_withdraw=table.can_withdraw,
    )


def _get_stage(table: SeatedTable) -> Stage:
    if table.damaged_from is not None:
        return "damaged"
    if table.is_finished:
        return "finished"
    return "playing" if table.noted else "new"

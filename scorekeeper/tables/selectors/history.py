"""The history of a table: every noted action in words, what it changed, what was corrected, and what waits.

An action that stands is told as it stands now, in the state it is played in; one that was corrected or voided also as
it read before, in the state it was noted in.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.core.paginator import Page, Paginator

from games.core.replay import play_on
from scorekeeper.events.models import Event
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.fold import Actions, Change, NotedTurn, Turns, apply_entry
from scorekeeper.scorecards.models import Entry, ReviewItem
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.wording import tell_actions

ACTIONS_A_PAGE = 20


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """A correction of an action, or that it was voided: how it read before, by whom, when and why."""

    is_void: bool
    before: str
    who: str
    when: dt.datetime
    note: str


@dataclass(frozen=True, slots=True)
class TotalShown:
    """What an action did to a seat's total."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class ActionShown:
    """An action as the history shows it.

    Attributes:
        number: its place among those that stand; None once it is voided.
        told: who did what, in words.
        stands: whether the rules let it stand; a damaged log only is played no further.
    """

    id: UUID
    number: int | None
    told: str
    who: str
    when: dt.datetime | None
    totals: tuple[TotalShown, ...] = ()
    changes: tuple[ChangeShown, ...] = ()
    note: str = ""
    stands: bool = True


@dataclass(frozen=True, slots=True)
class WaitingShown:
    """A note that waits for the organiser."""

    why: str
    told: str
    who: str
    when: dt.datetime


@dataclass(frozen=True, slots=True)
class History:
    """What a page of the history tells of a table; the newest action comes first.

    Attributes:
        page: which page it is, and which there are.
    """

    actions: tuple[ActionShown, ...]
    page: Page[UUID]
    waiting: tuple[WaitingShown, ...]
    dealt_by: str
    dealt_at: dt.datetime


def get_history(
    event: Event, table: SeatedTable, names: Sequence[str], page: str | int = 1, at: UUID | None = None
) -> History:
    """Return one page of the history of a table; a fixed number of statements however long it is.

    Args:
        names: of the seats, in the order of the play.
        page: which, the newest being 1, as an address says it: what is no number is the first, beyond them is the last.
        at: an action; its page is taken instead.
    """
    entries = list(Entry.objects.filter(chain_id=table.id).select_related("operation__note").order_by("seq"))
    items = list(ReviewItem.objects.filter(card_id=table.id, settled_at=None).select_related("operation"))
    actors = {entry.operation.actor_id for entry in entries} | {item.operation.actor_id for item in items}
    who = list_actor_names(event, actors)
    reader = _Reader(table, names, who)
    damaged_from = table.log.damaged_from
    for entry in entries:
        if damaged_from is None or entry.seq < damaged_from:
            reader.read(entry)
    newest_first = list(reversed(reader.first))
    if at in reader.first:
        page = newest_first.index(at) // ACTIONS_A_PAGE + 1
    shown = Paginator(newest_first, ACTIONS_A_PAGE).get_page(page)
    return History(
        actions=tuple(reader.list_actions(list(shown.object_list))),
        page=shown,
        waiting=tuple(_show_waiting(item, table, names, who) for item in items),
        dealt_by=who.get(entries[0].operation.actor_id, ""),
        dealt_at=entries[0].at,
    )


class _Moment(NamedTuple):
    """An action as it is played: the states before and after it, the same where the rules do not let it stand."""

    one: NotedTurn
    before: Any
    after: Any
    stands: bool


class _Reader:
    """Reads the chain entry by entry, and keeps what was said of each action on the way."""

    def __init__(self, table: SeatedTable, names: Sequence[str], who: Mapping[UUID, str]):
        self.table, self.names, self.who = table, names, who
        self.noted: Turns = {}
        self.first: dict[UUID, NotedTurn] = {}
        self.notes: dict[UUID, str] = {}
        self.changes: list[tuple[Entry, Turns, dict[UUID, bool]]] = []

    def read(self, entry: Entry) -> None:
        before, self.noted = self.noted, apply_entry(self.noted, entry)
        for action_id in self.noted.keys() - before.keys():
            self.first[action_id] = self.noted[action_id]
            self.notes[action_id] = _note_of(entry)
        changed = [Change.from_data(change) for change in json.loads(entry.body)["data"].get("changes", ())]
        are_void = {change.turn_id: change.actions is None for change in changed if change.turn_id in before}
        if are_void:
            self.changes.append((entry, before, are_void))

    def list_actions(self, ids: Sequence[UUID]) -> list[ActionShown]:
        """Return these actions, in this order."""
        wanted = frozenset(ids)
        changes = self._list_changes(wanted)
        standing = {one.id: one for one in self._list_standing(wanted, changes)}
        return [standing.get(one) or self._show_voided(self.first[one], changes[one]) for one in ids]

    def _list_changes(self, wanted: Set[UUID]) -> Mapping[UUID, Sequence[ChangeShown]]:
        shown: dict[UUID, list[ChangeShown]] = {}
        for entry, before, are_void in self.changes:
            about = wanted & are_void.keys()
            for one, state, _after, _stands in self._play(before) if about else ():
                if one.id in about:
                    who, told = self.who.get(entry.operation.actor_id, ""), self._tell(state, one.actions)
                    change = ChangeShown(are_void[one.id], told, who, entry.at, _note_of(entry))
                    shown.setdefault(one.id, []).append(change)
        return shown

    def _list_standing(self, wanted: Set[UUID], changes: Mapping[UUID, Sequence[ChangeShown]]) -> Iterator[ActionShown]:
        for number, moment in enumerate(self._play(self.noted), 1):
            one = moment.one
            if one.id in wanted:
                yield ActionShown(
                    one.id,
                    number,
                    self._tell(moment.before, one.actions),
                    *self._say_origin(one),
                    totals=tuple(self._list_totals(moment)),
                    changes=tuple(changes.get(one.id, ())),
                    note=self.notes.get(one.id, ""),
                    stands=moment.stands,
                )

    def _play(self, noted: Turns) -> Iterator[_Moment]:
        contest, seats = self.table.contest, self.table.seats
        state, stands = contest.ruleset.game.start(contest.ruleset, seats), True
        for one in noted.values():
            played = play_on(contest.ruleset, state, one.actions)
            stands = stands and played.failure is None
            after = played.state if stands else state
            yield _Moment(one, state, after, stands)
            state = after

    def _tell(self, state: Any, actions: Actions) -> str:
        return tell_actions(self.table.contest.ruleset, state, actions, self.names)

    def _list_totals(self, moment: _Moment) -> Iterator[TotalShown]:
        game = self.table.contest.ruleset.game
        for seat, name in enumerate(self.names):
            before, after = (game.standing(state, seat).total for state in (moment.before, moment.after))
            if before != after:
                yield TotalShown(name, before, after)

    def _show_voided(self, one: NotedTurn, changes: Sequence[ChangeShown]) -> ActionShown:
        return ActionShown(one.id, None, changes[-1].before, *self._say_origin(one), changes=tuple(changes))

    def _say_origin(self, one: NotedTurn) -> tuple[str, dt.datetime | None]:
        return ("", None) if one.origin is None else (self.who.get(one.origin.noted_by, ""), one.origin.noted_at)


def _show_waiting(item: ReviewItem, table: SeatedTable, names: Sequence[str], who: Mapping[UUID, str]) -> WaitingShown:
    actions = item.operation.body.get("actions", ())
    told = tell_actions(table.contest.ruleset, table.state, tuple(actions), names)
    why = str(ReviewItem.Reason(item.reason).label)
    return WaitingShown(why, told, who.get(item.operation.actor_id, ""), item.opened_at)


def _note_of(entry: Entry) -> str:
    return entry.operation.note.text if hasattr(entry.operation, "note") else ""

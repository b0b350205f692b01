"""The history of a table: every noted action in words, what it changed, what was corrected, and what waits.

An action that stands is told as it stands now, in the state it is played in; one that was corrected or voided also as
it read before, in the state it was noted in.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.fold import Actions, NotedTurn, Turns, apply_entry
from scorekeeper.scorecards.models import Entry, ReviewItem
from scorekeeper.tables.fold import fold_table, play_actions
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.wording import tell_actions


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
    """Everything the history page tells of a table; the newest action comes first."""

    actions: tuple[ActionShown, ...]
    waiting: tuple[WaitingShown, ...]
    dealt_by: str
    dealt_at: dt.datetime


def get_history(event: Event, table: SeatedTable, names: Sequence[str]) -> History:
    """Return the history of a table.

    Args:
        names: of the seats, in the order of the play.
    """
    entries = list(Entry.objects.filter(chain_id=table.id).select_related("operation__note").order_by("seq"))
    items = list(ReviewItem.objects.filter(card_id=table.id, settled_at=None).select_related("operation"))
    actors = {entry.operation.actor_id for entry in entries} | {item.operation.actor_id for item in items}
    who = list_actor_names(event, actors)
    reader = _Reader(table, names, who)
    for entry in entries:
        reader.read(entry)
    return History(
        actions=tuple(reversed(reader.list_actions())),
        waiting=tuple(_show_waiting(item, table, names, who) for item in items),
        dealt_by=who.get(entries[0].operation.actor_id, ""),
        dealt_at=entries[0].at,
    )


class _Reader:
    """Reads the chain entry by entry, and keeps what was said of each action on the way."""

    def __init__(self, table: SeatedTable, names: Sequence[str], who: Mapping[UUID, str]):
        self.table, self.names, self.who = table, names, who
        self.noted: Turns = {}
        self.first: dict[UUID, NotedTurn] = {}
        self.notes: dict[UUID, str] = {}
        self.changes: dict[UUID, list[ChangeShown]] = {}

    def read(self, entry: Entry) -> None:
        before, self.noted = self.noted, apply_entry(self.noted, entry)
        for action_id in self.noted.keys() - before.keys():
            self.first[action_id] = self.noted[action_id]
            self.notes[action_id] = _note_of(entry)
        for change in json.loads(entry.body)["data"].get("changes", ()):
            action_id = UUID(change["turn"])
            if action_id in before:
                self._add_change(entry, before, action_id, is_void=change["actions"] is None)

    def _add_change(self, entry: Entry, before: Turns, action_id: UUID, *, is_void: bool) -> None:
        who = self.who.get(entry.operation.actor_id, "")
        told = self._tell_within(before, action_id)
        shown = ChangeShown(is_void, told, who, entry.at, _note_of(entry))
        self.changes.setdefault(action_id, []).append(shown)

    def _tell_within(self, noted: Turns, action_id: UUID) -> str:
        """Return an action in words, in the state that the actions before it led to."""
        earlier: dict[UUID, NotedTurn] = {}
        for one in noted.values():
            if one.id == action_id:
                break
            earlier[one.id] = one
        state = fold_table(self.table.contest, self.table.seats, earlier).state
        return self._tell(state, noted[action_id].actions)

    def _tell(self, state: Any, actions: Actions) -> str:
        return tell_actions(self.table.contest.ruleset.game, state, actions, self.names)

    def list_actions(self) -> list[ActionShown]:
        """Return all actions in the order in which they were noted first."""
        standing = self._list_standing()
        return [standing.get(action_id) or self._show_voided(one) for action_id, one in self.first.items()]

    def _list_standing(self) -> dict[UUID, ActionShown]:
        contest, seats = self.table.contest, self.table.seats
        game = contest.ruleset.game
        state = game.start(contest.ruleset, seats)
        shown, is_played = {}, True
        for number, one in enumerate(self.noted.values(), 1):
            after, problems = play_actions(contest, state, seats, one.actions)
            is_played = is_played and not problems
            totals = [game.standing(at, seat).total for at in (state, after) for seat in range(seats)]
            changed = zip(self.names, totals[:seats], totals[seats:], strict=True)
            shown[one.id] = ActionShown(
                one.id,
                number,
                self._tell(state, one.actions),
                *self._say_origin(one),
                totals=tuple(TotalShown(*parts) for parts in changed if is_played and parts[1] != parts[2]),
                changes=tuple(self.changes.get(one.id, ())),
                note=self.notes.get(one.id, ""),
                stands=is_played,
            )
            state = after if is_played else state
        return shown

    def _show_voided(self, one: NotedTurn) -> ActionShown:
        changes = tuple(self.changes[one.id])
        return ActionShown(one.id, None, changes[-1].before, *self._say_origin(one), changes=changes)

    def _say_origin(self, one: NotedTurn) -> tuple[str, dt.datetime | None]:
        return ("", None) if one.origin is None else (self.who.get(one.origin.noted_by, ""), one.origin.noted_at)


def _show_waiting(item: ReviewItem, table: SeatedTable, names: Sequence[str], who: Mapping[UUID, str]) -> WaitingShown:
    actions = item.operation.body.get("actions", ())
    told = tell_actions(table.contest.ruleset.game, table.state, tuple(actions), names)
    why = str(ReviewItem.Reason(item.reason).label)
    return WaitingShown(why, told, who.get(item.operation.actor_id, ""), item.opened_at)


def _note_of(entry: Entry) -> str:
    return entry.operation.note.text if hasattr(entry.operation, "note") else ""

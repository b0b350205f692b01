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

from games.core.replay import replay_from
from scorekeeper.events.models import Event
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.fold import Actions, RecordedTurn, TurnChange, Turns, apply_entry
from scorekeeper.scorecards.models import Entry, ReviewItem
from scorekeeper.tables.open_table import TableWithHolders
from scorekeeper.tables.wording import describe_actions

ACTIONS_PER_PAGE = 20


@dataclass(frozen=True, slots=True)
class TableHistoryChange:
    """A correction of an action, or that it was voided: how it read before, by whom, when and why."""

    is_void: bool
    before: str
    actor_name: str
    changed_at: dt.datetime
    reason: str


@dataclass(frozen=True, slots=True)
class TableHistoryTotal:
    """What an action did to a seat's total."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class TableHistoryAction:
    """An action as the history shows it.

    Attributes:
        number: its place among those that stand; None once it is voided.
        told: who did what, in words.
        stands: whether the rules let it stand; a damaged log only is played no further.
    """

    id: UUID
    number: int | None
    description: str
    actor_name: str
    recorded_at: dt.datetime | None
    total_changes: tuple[TableHistoryTotal, ...] = ()
    changes: tuple[TableHistoryChange, ...] = ()
    reason: str = ""
    is_valid: bool = True


@dataclass(frozen=True, slots=True)
class TableHistoryReviewItem:
    """A note that waits for the organiser."""

    review_reason: str
    description: str
    actor_name: str
    opened_at: dt.datetime


@dataclass(frozen=True, slots=True)
class TableHistory:
    """What a page of the history tells of a table; the newest action comes first.

    Attributes:
        page: which page it is, and which there are.
    """

    actions: tuple[TableHistoryAction, ...]
    page: Page[UUID]
    review_items: tuple[TableHistoryReviewItem, ...]
    created_by: str
    created_at: dt.datetime


def get_history(
    event: Event, table: TableWithHolders, names: Sequence[str], page: str | int = 1, at: UUID | None = None
) -> TableHistory:
    """Return one page of the history of a table; a fixed number of statements however long it is.

    Args:
        names: of the seats, in the order of the play.
        page: which, the newest being 1, as an address says it: what is no number is the first, beyond them is the last.
        at: an action; its page is taken instead.
    """
    entries = list(Entry.objects.filter(chain_id=table.id).select_related("operation__reason").order_by("seq"))
    items = list(ReviewItem.objects.filter(card_id=table.id, settled_at=None).select_related("operation"))
    actors = {entry.operation.actor_id for entry in entries} | {item.operation.actor_id for item in items}
    who = list_actor_names(event, actors)
    reader = _HistoryReader(table, names, who)
    damaged_from = table.log.damaged_from
    for entry in entries:
        if damaged_from is None or entry.seq < damaged_from:
            reader.read(entry)
    newest_first = list(reversed(reader.originals))
    if at in reader.originals:
        page = newest_first.index(at) // ACTIONS_PER_PAGE + 1
    shown = Paginator(newest_first, ACTIONS_PER_PAGE).get_page(page)
    return TableHistory(
        actions=tuple(reader.list_actions(list(shown.object_list))),
        page=shown,
        review_items=tuple(_present_review_item(item, table, names, who) for item in items),
        created_by=who.get(entries[0].operation.actor_id, ""),
        created_at=entries[0].at,
    )


class _PlayedAction(NamedTuple):
    """An action as it is played: the states before and after it, the same where the rules do not let it stand."""

    recorded_action: RecordedTurn
    before: Any
    after: Any
    is_valid: bool


class _HistoryReader:
    """Reads the chain entry by entry, and keeps what was said of each action on the way."""

    def __init__(self, table: TableWithHolders, names: Sequence[str], who: Mapping[UUID, str]):
        self.table, self.names, self.actor_names = table, names, who
        self.recorded_actions: Turns = {}
        self.originals: dict[UUID, RecordedTurn] = {}
        self.reasons: dict[UUID, str] = {}
        self.changes: list[tuple[Entry, Turns, dict[UUID, bool]]] = []

    def read(self, entry: Entry) -> None:
        before, self.recorded_actions = self.recorded_actions, apply_entry(self.recorded_actions, entry)
        for action_id in self.recorded_actions.keys() - before.keys():
            self.originals[action_id] = self.recorded_actions[action_id]
            self.reasons[action_id] = _get_reason(entry)
        changed = [TurnChange.from_data(change) for change in json.loads(entry.body)["data"].get("changes", ())]
        are_void = {change.turn_id: change.actions is None for change in changed if change.turn_id in before}
        if are_void:
            self.changes.append((entry, before, are_void))

    def list_actions(self, ids: Sequence[UUID]) -> list[TableHistoryAction]:
        """Return these actions, in this order."""
        wanted = frozenset(ids)
        changes = self._list_changes(wanted)
        standing = {one.id: one for one in self._list_current(wanted, changes)}
        return [standing.get(one) or self._present_voided(self.originals[one], changes[one]) for one in ids]

    def _list_changes(self, wanted: Set[UUID]) -> Mapping[UUID, Sequence[TableHistoryChange]]:
        shown: dict[UUID, list[TableHistoryChange]] = {}
        for entry, before, are_void in self.changes:
            about = wanted & are_void.keys()
            for one, state, _after, _stands in self._play(before) if about else ():
                if one.id in about:
                    who, told = self.actor_names.get(entry.operation.actor_id, ""), self._describe(state, one.actions)
                    change = TableHistoryChange(are_void[one.id], told, who, entry.at, _get_reason(entry))
                    shown.setdefault(one.id, []).append(change)
        return shown

    def _list_current(
        self, wanted: Set[UUID], changes: Mapping[UUID, Sequence[TableHistoryChange]]
    ) -> Iterator[TableHistoryAction]:
        for number, moment in enumerate(self._play(self.recorded_actions), 1):
            one = moment.recorded_action
            if one.id in wanted:
                yield TableHistoryAction(
                    one.id,
                    number,
                    self._describe(moment.before, one.actions),
                    *self._get_origin(one),
                    total_changes=tuple(self._list_total_changes(moment)),
                    changes=tuple(changes.get(one.id, ())),
                    reason=self.reasons.get(one.id, ""),
                    is_valid=moment.is_valid,
                )

    def _play(self, noted: Turns) -> Iterator[_PlayedAction]:
        contest, seats = self.table.contest, self.table.seats
        state, stands = contest.ruleset.game.start(contest.ruleset, seats), True
        for one in noted.values():
            played = replay_from(contest.ruleset, state, one.actions)
            stands = stands and played.failure is None
            after = played.state if stands else state
            yield _PlayedAction(one, state, after, stands)
            state = after

    def _describe(self, state: Any, actions: Actions) -> str:
        return describe_actions(self.table.contest.ruleset, state, actions, self.names)

    def _list_total_changes(self, moment: _PlayedAction) -> Iterator[TableHistoryTotal]:
        game = self.table.contest.ruleset.game
        for seat, name in enumerate(self.names):
            before, after = (game.standing(state, seat).total for state in (moment.before, moment.after))
            if before != after:
                yield TableHistoryTotal(name, before, after)

    def _present_voided(self, one: RecordedTurn, changes: Sequence[TableHistoryChange]) -> TableHistoryAction:
        return TableHistoryAction(one.id, None, changes[-1].before, *self._get_origin(one), changes=tuple(changes))

    def _get_origin(self, one: RecordedTurn) -> tuple[str, dt.datetime | None]:
        return (
            ("", None)
            if one.origin is None
            else (self.actor_names.get(one.origin.actor_id, ""), one.origin.recorded_at)
        )


def _present_review_item(
    item: ReviewItem, table: TableWithHolders, names: Sequence[str], who: Mapping[UUID, str]
) -> TableHistoryReviewItem:
    actions = item.operation.body.get("actions", ())
    told = describe_actions(table.contest.ruleset, table.state, tuple(actions), names)
    why = str(ReviewItem.Reason(item.reason).label)
    return TableHistoryReviewItem(why, told, who.get(item.operation.actor_id, ""), item.opened_at)


def _get_reason(entry: Entry) -> str:
    return entry.operation.reason.text if hasattr(entry.operation, "reason") else ""

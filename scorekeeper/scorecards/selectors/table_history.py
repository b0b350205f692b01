"""The history of a table: every recorded action in words, its effect on totals, corrections, and entries under review.

A current action is described as it is now, in the state before it; an action that was corrected or voided also as it
was before, in the state at that time.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple
from uuid import UUID

from django.core.paginator import Page, Paginator

from games.core.replay import replay_from
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.usual_reasons import show_reason
from scorekeeper.scorecards.action_wording import describe_actions
from scorekeeper.scorecards.fold import Actions, LogStep, RecordedTurn, Turns, list_log_steps
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.scorecards.selectors.card_log import CardLog, HistoryReviewItem, get_reason, read_card_log

ACTIONS_PER_PAGE = 20


class ChangeEffect(Enum):
    """What a change did to an action."""

    CORRECTED = "corrected"
    VOIDED = "voided"
    RESTORED = "restored"  # it had been voided and counts again


@dataclass(frozen=True, slots=True)
class TableHistoryChange:
    """A correction, void or restoration of an action: what it did, the description before, by whom, when and why."""

    effect: ChangeEffect
    before: str
    actor_name: str
    changed_at: dt.datetime
    reason: str


@dataclass(frozen=True, slots=True)
class TableHistoryTotal:
    """A seat's total before and after an action."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class TableHistoryAction:
    """An action as the history shows it.

    Attributes:
        number: its position among the current actions; None once it is voided.
        description: who did what, in words.
        is_valid: whether the rules allow it; only a damaged log has an action that they do not allow.
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
class TableHistory:
    """One page of the history of a table; the newest action comes first.

    Attributes:
        page: the page and its paginator.
    """

    actions: tuple[TableHistoryAction, ...]
    page: Page[UUID]
    review_items: tuple[HistoryReviewItem, ...]
    created_by: str
    created_at: dt.datetime


def get_history(
    event: Event, table: TableWithEntrants, names: Sequence[str], page: str | int = 1, at: UUID | None = None
) -> TableHistory:
    """Return one page of the history of a table; a fixed number of queries however long it is.

    Args:
        names: of the seats, in the order of play.
        page: the page number, 1 for the newest, as given in a URL: anything but a number means the first page, a number
            that is too high the last.
        at: an action; the page that it is on is returned instead.
    """
    log = read_card_log(event, table.id)
    reader = _HistoryReader(table, names, log)
    damaged_from = table.log.damaged_from
    readable = [entry for entry in log.entries if damaged_from is None or entry.seq < damaged_from]
    for step in list_log_steps(readable):
        reader.read(step)
    newest_first = list(reversed(reader.originals))
    if at in reader.originals:
        page = newest_first.index(at) // ACTIONS_PER_PAGE + 1
    shown = Paginator(newest_first, ACTIONS_PER_PAGE).get_page(page)
    return TableHistory(
        actions=tuple(reader.list_actions(list(shown.object_list))),
        page=shown,
        review_items=tuple(log.present_item(item, _describe_item(item, table, names)) for item in log.items),
        created_by=log.get_actor_name(log.entries[0].operation),
        created_at=log.entries[0].at,
    )


class _PlayedAction(NamedTuple):
    """An action with the states before and after it, which are the same if the rules do not allow it."""

    recorded_action: RecordedTurn
    before: Any
    after: Any
    is_valid: bool


class _HistoryReader:
    """Reads the chain entry by entry, and collects the original, the reason and the changes of each action."""

    def __init__(self, table: TableWithEntrants, names: Sequence[str], log: CardLog):
        self.table, self.names, self.log = table, names, log
        self.originals: dict[UUID, RecordedTurn] = {}
        self.reasons: dict[UUID, str] = {}
        self.current: Turns = {}
        self.changes: list[tuple[LogStep, dict[UUID, ChangeEffect]]] = []

    def read(self, step: LogStep) -> None:
        self.current = step.after
        effects: dict[UUID, ChangeEffect] = {}
        for before, after in step.list_changed():
            if after is None:
                assert before is not None, "an entry changes something that was there, or is there now"
                effects[before.id] = ChangeEffect.VOIDED
            elif before is not None:
                effects[after.id] = ChangeEffect.CORRECTED
            elif after.id in self.originals:
                effects[after.id] = ChangeEffect.RESTORED
            else:
                self.originals[after.id], self.reasons[after.id] = after, show_reason(get_reason(step.entry))
        if effects:
            self.changes.append((step, effects))

    def list_actions(self, ids: Sequence[UUID]) -> list[TableHistoryAction]:
        """Return these actions, in this order."""
        wanted = frozenset(ids)
        changes = self._list_changes(wanted)
        current = {action.id: action for action in self._list_current(wanted, changes)}
        return [
            current.get(action_id) or self._present_voided(self.originals[action_id], changes[action_id])
            for action_id in ids
        ]

    def _list_changes(self, wanted: Set[UUID]) -> Mapping[UUID, Sequence[TableHistoryChange]]:
        changes_by_id: dict[UUID, list[TableHistoryChange]] = {}
        for step, effects in self.changes:
            about, entry = wanted & effects.keys(), step.entry
            descriptions = {
                recorded.id: self._describe(state, recorded.actions)
                for recorded, state, _after, _is_valid in (self._play(step.before) if about else ())
                if recorded.id in about
            }
            for action_id in about:
                actor_name = self.log.get_actor_name(entry.operation)
                change = TableHistoryChange(
                    effects[action_id],
                    descriptions.get(action_id, ""),
                    actor_name,
                    entry.at,
                    show_reason(get_reason(entry)),
                )
                changes_by_id.setdefault(action_id, []).append(change)
        return changes_by_id

    def _list_current(
        self, wanted: Set[UUID], changes: Mapping[UUID, Sequence[TableHistoryChange]]
    ) -> Iterator[TableHistoryAction]:
        for number, moment in enumerate(self._play(self.current), 1):
            recorded = moment.recorded_action
            if recorded.id in wanted:
                yield TableHistoryAction(
                    recorded.id,
                    number,
                    self._describe(moment.before, recorded.actions),
                    *self.log.get_origin(recorded.origin),
                    total_changes=tuple(self._list_total_changes(moment)),
                    changes=tuple(changes.get(recorded.id, ())),
                    reason=self.reasons.get(recorded.id, ""),
                    is_valid=moment.is_valid,
                )

    def _play(self, turns: Turns) -> Iterator[_PlayedAction]:
        contest, seats = self.table.contest, self.table.seat_count
        state, is_valid = contest.ruleset.game.start(contest.ruleset, seats), True
        for recorded in turns.values():
            replay = replay_from(contest.ruleset, state, recorded.actions)
            is_valid = is_valid and replay.failure is None
            after = replay.state if is_valid else state
            yield _PlayedAction(recorded, state, after, is_valid)
            state = after

    def _describe(self, state: Any, actions: Actions) -> str:
        return describe_actions(self.table.contest.ruleset, state, actions, self.names)

    def _list_total_changes(self, moment: _PlayedAction) -> Iterator[TableHistoryTotal]:
        game = self.table.contest.ruleset.game
        for seat, name in enumerate(self.names):
            before, after = (game.standing(state, seat).total for state in (moment.before, moment.after))
            if before != after:
                yield TableHistoryTotal(name, before, after)

    def _present_voided(self, recorded: RecordedTurn, changes: Sequence[TableHistoryChange]) -> TableHistoryAction:
        return TableHistoryAction(
            recorded.id, None, changes[-1].before, *self.log.get_origin(recorded.origin), changes=tuple(changes)
        )


def _describe_item(item: ReviewItem, table: TableWithEntrants, names: Sequence[str]) -> str:
    actions = item.operation.body.get("actions", ())
    return describe_actions(table.contest.ruleset, table.state, tuple(actions), names)

"""Settling what waits at the tables: the organiser keeps what stands, or has the waiting note count after all.

*Keep* lays the waiting note aside. *Apply* notes a waiting action after all that stands, or puts a waiting correction
in place, if the rules allow it as the table stands now. Whatever waits can be kept aside, also at a table that was
withdrawn meanwhile, so that none waits for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Operation, ReviewItem
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import UnknownTarget
from scorekeeper.scorecards.services.review_decisions import (
    CannotSettle,
    list_decision_reversals,
    make_settlement_data,
    record_decision,
    revert_decision,
)
from scorekeeper.tables.open_table import OpenTable
from scorekeeper.tables.services.actions import (
    NewAction,
    append_to_table,
    canonicalize_actions,
    lock_table,
    try_actions,
)
from scorekeeper.tables.services.corrections import append_changes, changes_from_targets, list_change_problems


def settle_table_item(actor: Actor, operation_id: UUID, item_id: UUID, decision: str, reason: str) -> Receipt:
    """Settle one item that waits for a table.

    Args:
        decision: "keep" or "apply", as `ReviewItem.Decision` has them.

    Raises:
        CannotSettle: the rules forbid it now, somebody was faster, or this is no decision for such an operation.
        NotYours, ReasonNeeded, OtherBody: as for every decision.
    """

    def carry_out(book: OperationContext, table: OpenTable | None, item: ReviewItem) -> None:
        settles = make_settlement_data(item.operation, decision)
        if decision == ReviewItem.Decision.KEEP:
            _dismiss(book, item, settles)
        elif decision != ReviewItem.Decision.APPLY or table is None:
            raise CannotSettle
        elif item.operation.kind == "action":
            _apply_action(book, table, item.operation, settles)
        elif item.operation.kind == "correct":
            _apply_correction(book, table, item.operation, settles)
        else:
            raise CannotSettle

    return record_decision(actor, operation_id, item_id, decision, reason, _lock_item_table, carry_out)


def reopen_table_item(actor: Actor, operation_id: UUID, item_id: UUID, reason: str) -> Receipt:
    """Let an item wait again that was settled for a table.

    Raises:
        CannotSettle, NotYours, ReasonNeeded, OtherBody: as for `take_back_decision`.
    """
    return revert_decision(actor, operation_id, item_id, reason, _revert_decision)


def _revert_decision(book: OperationContext, item: ReviewItem, unsettles: Mapping[str, str]) -> None:
    table = _lock_item_table(book, item)
    if table is None:
        raise CannotSettle
    changes = list_decision_reversals(book, item, table.recorded_actions)
    if problems := list_change_problems(table, changes):
        raise CannotSettle(problems)
    append_changes(book, table, changes, unsettles)


def _lock_item_table(book: OperationContext, item: ReviewItem) -> OpenTable | None:
    """Lock the card that the item waits for; return the table, or None once it was withdrawn."""
    if item.card_id is None:
        raise CannotSettle
    try:
        return lock_table(book, item.card_id)
    except UnknownTarget:
        return None


def _dismiss(book: OperationContext, item: ReviewItem, settles: dict[str, str]) -> None:
    assert item.card_id is not None, "locked by it"
    book.append(book.get_chain(item.card_id), "settle", data=settles)
    book.mark_stale(item.contest_id, item.card_id)


def _apply_action(book: OperationContext, table: OpenTable, operation: Operation, settles: dict[str, str]) -> None:
    actions = canonicalize_actions(table, NewAction.from_body(operation.body).actions)
    _after, problems = try_actions(table, actions)
    if problems:
        raise CannotSettle(problems)
    append_to_table(book, table, "record", actions=actions, data=settles)


def _apply_correction(book: OperationContext, table: OpenTable, operation: Operation, settles: dict[str, str]) -> None:
    """Put a correction in place, whatever stands there now: the organiser has looked at both."""
    targets = [CorrectionTarget.from_data(target) for target in operation.body["targets"]]
    if any(target.turn_id not in table.recorded_actions for target in targets):
        raise CannotSettle
    changes = changes_from_targets(table, targets)
    if problems := list_change_problems(table, changes):
        raise CannotSettle(problems)
    append_changes(book, table, changes, settles)

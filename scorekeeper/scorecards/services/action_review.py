"""Decisions about entries under review at the tables: the organiser keeps the current entries or applies the new one.

*Keep* dismisses the entry under review. *Apply* records an action after all current ones, or applies a correction, if
the rules allow it at the table now. Every entry can be dismissed, even if its table was withdrawn in the meantime, so
none stays under review for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import UnknownTarget
from scorekeeper.scorecards.fold import canonicalize_actions
from scorekeeper.scorecards.open_table import OpenTable
from scorekeeper.scorecards.services.action_corrections import append_changes, list_change_problems
from scorekeeper.scorecards.services.actions import (
    NewAction,
    append_to_table,
    lock_table,
    try_actions,
)
from scorekeeper.scorecards.services.corrections import make_changes
from scorekeeper.scorecards.services.review_decisions import (
    CannotDecide,
    list_current_targets,
    list_decision_reversals,
    make_decision_data,
    record_decision,
    revert_decision,
)


def decide_table_item(actor: Actor, operation_id: UUID, item_id: UUID, decision: str, reason: str) -> Receipt:
    """Decide one review item of a table.

    Args:
        decision: "keep" or "apply", a value of `ReviewItem.Decision`.

    Raises:
        CannotDecide: the rules forbid it now, someone else was faster, or the decision does not fit the operation.
        NotAllowed, ReasonRequired, IdReused: as for every decision.
    """

    def apply_decision(context: OperationContext, table: OpenTable | None, item: ReviewItem) -> None:
        decision_data = make_decision_data(item.operation, decision)
        if decision == ReviewItem.Decision.KEEP:
            _dismiss(context, item, decision_data)
        elif decision != ReviewItem.Decision.APPLY or table is None:
            raise CannotDecide
        elif item.operation.kind == "action":
            _apply_action(context, table, item.operation, decision_data)
        elif item.operation.kind == "correct":
            _apply_correction(context, table, item.operation, decision_data)
        else:
            raise CannotDecide

    return record_decision(actor, operation_id, item_id, decision, reason, _lock_item_table, apply_decision)


def reopen_table_item(actor: Actor, operation_id: UUID, item_id: UUID, reason: str) -> Receipt:
    """Reopen a decided review item of a table.

    Raises:
        CannotDecide, NotAllowed, ReasonRequired, IdReused: as for `revert_decision`.
    """
    return revert_decision(actor, operation_id, item_id, reason, _revert_decision)


def _revert_decision(context: OperationContext, item: ReviewItem, reversal: Mapping[str, str]) -> None:
    table = _lock_item_table(context, item)
    if table is None:
        raise CannotDecide
    changes = list_decision_reversals(context, item, table.id, table.recorded_actions)
    if problems := list_change_problems(table, changes):
        raise CannotDecide(problems)
    append_changes(context, table, changes, reversal)


def _lock_item_table(context: OperationContext, item: ReviewItem) -> OpenTable | None:
    """Lock the card of the item; return its table, or None if it was withdrawn."""
    if item.card_id is None:
        raise CannotDecide
    try:
        return lock_table(context, item.card_id)
    except UnknownTarget:
        return None


def _dismiss(context: OperationContext, item: ReviewItem, decision_data: dict[str, str]) -> None:
    assert item.card_id is not None, "locked by it"
    context.append(context.get_chain(item.card_id), "settle", data=decision_data)
    context.mark_stale(item.contest_id, item.card_id)


def _apply_action(
    context: OperationContext, table: OpenTable, operation: Operation, decision_data: dict[str, str]
) -> None:
    actions = canonicalize_actions(table.contest, NewAction.from_body(operation.body).actions, table.seats)
    _after, problems = try_actions(table, actions)
    if problems:
        raise CannotDecide(problems)
    append_to_table(context, table, "record", actions=actions, data=decision_data)


def _apply_correction(
    context: OperationContext, table: OpenTable, operation: Operation, decision_data: dict[str, str]
) -> None:
    changes = make_changes(table.contest, list_current_targets(operation, table.recorded_actions), table.seats)
    if problems := list_change_problems(table, changes):
        raise CannotDecide(problems)
    append_changes(context, table, changes, decision_data)

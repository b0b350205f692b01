"""Corrections at a table: undoing the last action, amending one, voiding one or several.

A correction names each action that it changes, with the sequence number that was last seen; a newer entry is a
conflict. The table is then replayed from the start: if the rules no longer allow some action, nothing is changed, and
the response names the first such action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import problems_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import RECORDED, OperationResult, record
from scorekeeper.scorecards.fold import TurnChange, Turns, apply_changes
from scorekeeper.scorecards.open_table import OpenTable
from scorekeeper.scorecards.services.actions import append_to_table, lock_table
from scorekeeper.scorecards.services.corrections import (
    MAX_CORRECTION_LENGTH,
    NEWER_ENTRY,
    CorrectionTarget,
    are_unchanged,
    make_changes,
    make_correction_body,
)
from scorekeeper.scorecards.services.repeats import review_repeats
from scorekeeper.scorecards.services.review_causes import find_review_cause, send_to_review
from scorekeeper.scorecards.table_fold import fold_table


def correct_actions(
    actor: Actor, operation_id: UUID, card_id: UUID, targets: Sequence[CorrectionTarget], reason: str
) -> Receipt:
    """Amend or void actions of one table, all of them or none.

    Raises:
        ReasonRequired, MalformedOperation: as for `make_correction_body`.
        UnknownTarget, NotAllowed, IdReused: as for `record_action`.
    """

    def handle(context: OperationContext) -> OperationResult:
        return apply_correction(context, lock_table(context, card_id), targets)

    body = make_correction_body(operation_id, {"card": str(card_id)}, targets, reason)
    return record(operation_id, "correct", actor, body, handle, reason, MAX_CORRECTION_LENGTH)


def apply_correction(
    context: OperationContext, table: OpenTable, targets: Sequence[CorrectionTarget]
) -> OperationResult:
    """Check the changes together, then save them or send them to review."""
    target_ids = [target.turn_id for target in targets]
    if not are_unchanged(table.recorded_actions, targets):
        return send_to_review(context, table, ReviewItem.Reason.STALE, [NEWER_ENTRY], target_ids)
    changes = make_changes(table.contest, targets, table.seats)
    problems = list_change_problems(table, changes)
    if cause := find_review_cause(context, is_sealed=table.is_sealed):
        return send_to_review(context, table, cause.reason, [cause.problem, *problems], target_ids)
    if problems:
        return send_to_review(context, table, ReviewItem.Reason.RULE, problems, target_ids)
    append_changes(context, table, changes)
    return RECORDED


def append_changes(
    context: OperationContext, table: OpenTable, changes: Sequence[TurnChange], data: Mapping[str, Any] | None = None
) -> None:
    """Append checked changes to their table; repeats of actions that they void go to review.

    Args:
        data: additional data of the entry.
    """
    append_to_table(context, table, "amend", data={"changes": [change.to_data() for change in changes], **(data or {})})
    voided = [change.turn_id for change in changes if change.actions is None]
    review_repeats(context, context.get_chain(table.id), table.contest.id, voided)


def list_change_problems(table: OpenTable, changes: Sequence[TurnChange]) -> list[dict[str, Any]]:
    """Return why the table cannot be played with the changes, as data that names the first invalid action."""
    after = apply_changes(table.recorded_actions, changes, table.length + 1)
    invalid = fold_table(table.contest, table.seats, after).invalid_action
    if invalid is None:
        return []
    return problems_to_data(invalid.problems, _name_action(table.recorded_actions, invalid.turn_id, changes))


def _name_action(recorded_actions: Turns, action_id: UUID, changes: Sequence[TurnChange]) -> str | None:
    """Return "Action 12", or None for an action that the correction itself changes."""
    if any(change.turn_id == action_id for change in changes):
        return None
    return _("Action %(number)s") % {"number": list(recorded_actions).index(action_id) + 1}

"""Corrections at a table: undoing the last action, amending one, voiding one or several.

A correction names what it changes with the sequence number last seen of each; where something newer stands it is a
conflict. The card is then played anew from the start: if any action could no longer stand, nothing is changed, and the
answer names the first that is in the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.fold import TurnChange, Turns, apply_changes
from scorekeeper.scorecards.models import ReviewItem
from scorekeeper.scorecards.problem_messages import problems_to_data
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.corrections import NEWER_ENTRY, CorrectionTarget
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import (
    RECORDED,
    MalformedOperation,
    OperationResult,
    check_reason,
    record,
)
from scorekeeper.scorecards.services.repeats import review_repeats
from scorekeeper.scorecards.services.turns import find_review_cause, send_to_review
from scorekeeper.tables.fold import fold_table
from scorekeeper.tables.open_table import OpenTable
from scorekeeper.tables.services.actions import append_to_table, canonicalize_actions, lock_table


def correct_actions(
    actor: Actor, operation_id: UUID, card_id: UUID, targets: Sequence[CorrectionTarget], reason: str
) -> Receipt:
    """Amend or void actions of one card, all of them or none.

    Raises:
        ReasonNeeded: there is none.
        Unreadable: nothing is named, or one thing twice.
        NotYet, NotYours, OtherBody: as for `record_action`.
    """
    body = {"card": str(card_id), "targets": [target.to_data() for target in targets], "reason": reason}

    def handle(book: OperationContext) -> OperationResult:
        return apply_correction(book, lock_table(book, card_id), targets)

    check_reason(reason)
    if not targets or len({target.turn_id for target in targets}) < len(targets):
        raise MalformedOperation(operation_id)
    return record(operation_id, "correct", actor, body, handle, reason)


def apply_correction(book: OperationContext, table: OpenTable, targets: Sequence[CorrectionTarget]) -> OperationResult:
    """Judge the changes together, and write them or keep them for review."""
    touched = [target.turn_id for target in targets]
    if any(
        target.turn_id not in table.recorded_actions or table.recorded_actions[target.turn_id].seq != target.seq
        for target in targets
    ):
        return send_to_review(book, table, ReviewItem.Reason.STALE, [NEWER_ENTRY], touched)
    changes = changes_from_targets(table, targets)
    problems = list_change_problems(table, changes)
    if hold := find_review_cause(book, is_sealed=table.is_sealed):
        return send_to_review(book, table, hold.reason, [hold.problem, *problems], touched)
    if problems:
        return send_to_review(book, table, ReviewItem.Reason.RULE, problems, touched)
    append_changes(book, table, changes)
    return RECORDED


def append_changes(
    book: OperationContext, table: OpenTable, changes: Sequence[TurnChange], data: Mapping[str, Any] | None = None
) -> None:
    """Append judged changes to their card; repeats of actions that they void go to review.

    Args:
        data: what else the entry says.
    """
    append_to_table(book, table, "amend", data={"changes": [change.to_data() for change in changes], **(data or {})})
    gone = [change.turn_id for change in changes if change.actions is None]
    review_repeats(book, book.get_chain(table.id), table.contest.id, gone)


def changes_from_targets(table: OpenTable, targets: Sequence[CorrectionTarget]) -> list[TurnChange]:
    """Return the changes that the targets ask for, their actions in their one spelling."""
    return [
        TurnChange(target.turn_id, None if target.actions is None else canonicalize_actions(table, target.actions))
        for target in targets
    ]


def list_change_problems(table: OpenTable, changes: Sequence[TurnChange]) -> list[dict[str, Any]]:
    """Return why the card could not be played with the changes, as data, naming the action in the way."""
    after = apply_changes(table.recorded_actions, changes, table.length + 1)
    standoff = fold_table(table.contest, table.seats, after).invalid_action
    if standoff is None:
        return []
    return problems_to_data(standoff.problems, _name_action(table.recorded_actions, standoff.turn_id, changes))


def _name_action(noted: Turns, action_id: UUID, changes: Sequence[TurnChange]) -> str | None:
    """Return "Action 12" for an action that the correction itself does not change."""
    if any(change.turn_id == action_id for change in changes):
        return None
    return _("Action %(number)s") % {"number": list(noted).index(action_id) + 1}

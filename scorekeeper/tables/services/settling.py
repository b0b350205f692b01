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
from scorekeeper.scorecards.services.book import Book
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.scorecards.services.deciding import (
    CannotSettle,
    decide,
    list_taken_back,
    name_settled,
    take_back_decision,
)
from scorekeeper.scorecards.services.recording import NotYet
from scorekeeper.tables.open_table import OpenTable
from scorekeeper.tables.services.correcting import judge_changes, make_changes, write_changes
from scorekeeper.tables.services.playing import (
    ActionNote,
    append_to_table,
    lock_table,
    play_next,
    written_actions,
)


def settle_at_table(actor: Actor, operation_id: UUID, item_id: UUID, decision: str, reason: str) -> Receipt:
    """Settle one item that waits for a table.

    Args:
        decision: "keep" or "apply", as `ReviewItem.Decision` has them.

    Raises:
        CannotSettle: the rules forbid it now, somebody was faster, or this is no decision for such an operation.
        NotYours, ReasonNeeded, OtherBody: as for every decision.
    """

    def carry_out(book: Book, table: OpenTable | None, item: ReviewItem) -> None:
        settles = name_settled(item.operation, decision)
        if decision == ReviewItem.Decision.KEEP:
            _keep(book, item, settles)
        elif decision != ReviewItem.Decision.APPLY or table is None:
            raise CannotSettle
        elif item.operation.kind == "action":
            _apply_action(book, table, item.operation, settles)
        elif item.operation.kind == "correct":
            _apply_correction(book, table, item.operation, settles)
        else:
            raise CannotSettle

    return decide(actor, operation_id, item_id, decision, reason, _lock, carry_out)


def take_back_at_table(actor: Actor, operation_id: UUID, item_id: UUID, reason: str) -> Receipt:
    """Let an item wait again that was settled for a table.

    Raises:
        CannotSettle, NotYours, ReasonNeeded, OtherBody: as for `take_back_decision`.
    """
    return take_back_decision(actor, operation_id, item_id, reason, _take_off)


def _take_off(book: Book, item: ReviewItem, unsettles: Mapping[str, str]) -> None:
    table = _lock(book, item)
    if table is None:
        raise CannotSettle
    changes = list_taken_back(book, item, table.noted)
    if problems := judge_changes(table, changes):
        raise CannotSettle(problems)
    write_changes(book, table, changes, unsettles)


def _lock(book: Book, item: ReviewItem) -> OpenTable | None:
    """Lock the card that the item waits for; return the table, or None once it was withdrawn."""
    if item.card_id is None:
        raise CannotSettle
    try:
        return lock_table(book, item.card_id)
    except NotYet:
        return None


def _keep(book: Book, item: ReviewItem, settles: dict[str, str]) -> None:
    assert item.card_id is not None, "locked by it"
    book.append(book.get(item.card_id), "settle", data=settles)
    book.outdate(item.contest_id, item.card_id)


def _apply_action(book: Book, table: OpenTable, operation: Operation, settles: dict[str, str]) -> None:
    actions = written_actions(table, ActionNote.from_body(operation.body).actions)
    _after, problems = play_next(table, actions)
    if problems:
        raise CannotSettle(problems)
    append_to_table(book, table, "record", actions=actions, data=settles)


def _apply_correction(book: Book, table: OpenTable, operation: Operation, settles: dict[str, str]) -> None:
    """Put a correction in place, whatever stands there now: the organiser has looked at both."""
    targets = [Target.from_data(target) for target in operation.body["targets"]]
    if any(target.turn_id not in table.noted for target in targets):
        raise CannotSettle
    changes = make_changes(table, targets)
    if problems := judge_changes(table, changes):
        raise CannotSettle(problems)
    write_changes(book, table, changes, settles)

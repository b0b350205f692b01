"""The frame around a decision: what waits in review is settled once, by the organiser, with a reason.

Whatever the kind of card, a decision locks what the item waits for, sees that nobody was faster, carries out what was
decided and marks the item, all in the transaction of one operation. The entry it writes names the operation it settles,
so that the log alone tells what became of every note. A decision can be taken back the same way: the item waits again,
and what was accepted no longer counts. That is refused once something newer rests on it; then the card is corrected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from scorekeeper.bikes.models import Bike
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.fold import TurnChange, Turns, list_reverting_changes
from scorekeeper.scorecards.models import Chain, Operation, ReviewItem
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import (
    RECORDED,
    NotAllowed,
    OperationResult,
    RecordingError,
    check_reason,
    record,
)

C = TypeVar("C")
# Takes what was accepted off the card of an item, in an entry with these data, or raises `CannotSettle`.
RevertApplied = Callable[[OperationContext, ReviewItem, Mapping[str, str]], None]


class CannotSettle(RecordingError):
    """The decision cannot stand; nothing was written and the item still waits.

    Attributes:
        problems: what the rules say against it, as data; empty when the item was settled already, the slot is taken, or
            this is no decision for such an operation.
    """

    def __init__(self, problems: Sequence[Mapping[str, Any]] = ()):
        super().__init__(problems)
        self.problems = tuple(problems)


def record_decision(
    actor: Actor,
    operation_id: UUID,
    item_id: UUID,
    decision: str,
    reason: str,
    lock: Callable[[OperationContext, ReviewItem], C],
    carry_out: Callable[[OperationContext, C, ReviewItem], None],
    slot_id: UUID | None = None,
) -> Receipt:
    """Settle one item.

    Args:
        decision: a value of `ReviewItem.Decision`.
        lock: locks what the item waits for and returns it, opened.
        carry_out: writes what was decided.
        slot_id: the other slot, where that was decided.

    Raises:
        CannotSettle: see there.
        NotYours: there is no such item at the actor's event, or the actor is no organiser.
        ReasonNeeded: there is none.
        OtherBody: the id was used for something else.
    """
    slot = None if slot_id is None else str(slot_id)
    body = {"review": str(item_id), "decision": decision, "slot": slot, "reason": reason}

    def handle(book: OperationContext) -> OperationResult:
        item = _find_item(actor, item_id)
        opened = lock(book, item)
        # Only now is the card locked, so only now does it matter whether somebody else was faster.
        item.refresh_from_db(fields=["settled_at"])
        if item.settled_at is not None or decision not in ReviewItem.Decision.values:
            raise CannotSettle
        carry_out(book, opened, item)
        item.settled_at, item.decision = book.now, decision
        item.settled_by_id = book.operation_id
        book.after_insert(lambda: item.save(update_fields=["settled_at", "decision", "settled_by"]))
        return RECORDED

    check_reason(reason)
    return record(operation_id, "settle", actor, body, handle, reason)


def revert_decision(actor: Actor, operation_id: UUID, item_id: UUID, reason: str, take_off: RevertApplied) -> Receipt:
    """Let an item wait again that the organiser had decided.

    Args:
        take_off: takes what was accepted off the card again.

    Raises:
        CannotSettle: it waits, something newer rests on what was accepted, or its bike was merged into another since.
        NotYours: there is no such item at the actor's event, or the actor is no organiser.
        ReasonNeeded: there is none.
        OtherBody: the id was used for something else.
    """
    body = {"review": str(item_id), "reason": reason}

    def handle(book: OperationContext) -> OperationResult:
        item = _find_item(actor, item_id)
        chain = _lock_chain(book, item)
        # Only now is the chain locked, so only now does it matter whether somebody else was faster.
        item.refresh_from_db(fields=["settled_at", "decision", "settled_by"])
        if item.settled_at is None or chain.is_alias or _was_unmerged(item):
            raise CannotSettle
        unsettles = {"unsettles": str(item.operation_id), "decision": item.decision}
        if item.decision == ReviewItem.Decision.KEEP:
            book.append(chain, "unsettle", data=unsettles)
        else:
            take_off(book, item, unsettles)
        book.mark_stale(item.contest_id, item.card_id)
        item.settled_at, item.decision, item.settled_by = None, "", None
        book.after_insert(lambda: item.save(update_fields=["settled_at", "decision", "settled_by"]))
        return RECORDED

    check_reason(reason)
    return record(operation_id, "unsettle", actor, body, handle, reason)


def list_decision_reversals(book: OperationContext, item: ReviewItem, played: Turns) -> Sequence[TurnChange]:
    """Return what takes an accepted operation off its card, which is locked.

    Args:
        played: what counts on the card now, by its ids.

    Raises:
        CannotSettle: something newer rests on it, or it was decided before decisions told what they had changed.
    """
    assert item.card_id is not None, "locked by it"
    if item.settled_by_id is None:
        raise CannotSettle
    changes = list_reverting_changes(book.unit_of_work.list_entries(item.card_id), item.settled_by_id, played)
    if changes is None:
        raise CannotSettle
    return changes


def _find_item(actor: Actor, item_id: UUID) -> ReviewItem:
    items = ReviewItem.objects.select_related("operation").filter(contest__event_id=actor.event_id)
    item = items.filter(pk=item_id).first()
    if item is None:
        raise NotAllowed(item_id)
    return item


def _lock_chain(book: OperationContext, item: ReviewItem) -> Chain:
    """Lock what the decision was written to: the item's card, or the contest's chain where it has none."""
    if item.card_id is None:
        return book.lock_or_create_chain(item.contest_id, Chain.Kind.CONTEST)
    return book.lock_chains([item.card_id])[item.card_id]


def _was_unmerged(item: ReviewItem) -> bool:
    """Whether the item was settled on the card of a bike that its own was merged into, and is no longer."""
    bike = Bike.objects.filter(pk=item.operation.body.get("bike")).first()
    return bike is not None and item.card_id not in (
        None,
        derive_card_id(item.contest_id, bike.merged_into_id or bike.pk),
    )


def make_settlement_data(operation: Operation, decision: str) -> dict[str, str]:
    """Return what an entry says of the operation that it settles."""
    return {"settles": str(operation.pk), "decision": decision}

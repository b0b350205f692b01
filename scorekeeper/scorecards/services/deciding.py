"""The frame around a decision: what waits in review is settled once, by the organiser, with a reason.

Whatever the kind of card, a decision locks what the item waits for, sees that nobody was faster, carries out what was
decided and marks the item, all in the transaction of one operation. The entry it writes names the operation it settles,
so that the log alone tells what became of every note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Operation, ReviewItem
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.book import Book
from scorekeeper.scorecards.services.recording import (
    RECORDED,
    NotYours,
    RecordingError,
    Verdict,
    check_reason,
    record,
)

C = TypeVar("C")


class CannotSettle(RecordingError):
    """The decision cannot stand; nothing was written and the item still waits.

    Attributes:
        problems: what the rules say against it, as data; empty when the item was settled already, the slot is taken, or
            this is no decision for such an operation.
    """

    def __init__(self, problems: Sequence[Mapping[str, Any]] = ()):
        super().__init__(problems)
        self.problems = tuple(problems)


def decide(
    actor: Actor,
    operation_id: UUID,
    item_id: UUID,
    decision: str,
    reason: str,
    lock: Callable[[Book, ReviewItem], C],
    carry_out: Callable[[Book, C, ReviewItem], None],
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
        NotYours: there is no such item at the actor's event.
        ReasonNeeded: there is none.
        OtherBody: the id was used for something else.
    """
    slot = None if slot_id is None else str(slot_id)
    body = {"review": str(item_id), "decision": decision, "slot": slot, "reason": reason}

    def handle(book: Book) -> Verdict:
        items = ReviewItem.objects.select_related("operation").filter(contest__event_id=actor.event_id)
        item = items.filter(pk=item_id).first()
        if item is None:
            raise NotYours(item_id)
        opened = lock(book, item)
        # Only now is the card locked, so only now does it matter whether somebody else was faster.
        item.refresh_from_db(fields=["settled_at"])
        if item.settled_at is not None or not actor.is_organiser or decision not in ReviewItem.Decision.values:
            raise CannotSettle
        carry_out(book, opened, item)
        item.settled_at, item.decision = book.now, decision
        item.settled_by_id = operation_id
        book.afterwards(lambda: item.save(update_fields=["settled_at", "decision", "settled_by"]))
        return RECORDED

    check_reason(reason)
    return record(operation_id, "settle", actor, body, handle, reason)


def name_settled(operation: Operation, decision: str) -> dict[str, str]:
    """Return what an entry says of the operation that it settles."""
    return {"settles": str(operation.pk), "decision": decision}

"""Operations against the log: who sent each and when, what was sent, what became of it, and what was answered.

What is kept of an operation is held to the digest of it in each of its entries; those of older versions have none. The
operation's own digest was made with names and reasons, which lie in tables of their own: a reason is put back for it; a
walk-up's names may have been corrected since, so its digest cannot be checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.scorecards.models import Note, Operation, ReviewItem
from scorekeeper.scorecards.sent import get_digest
from scorekeeper.scorecards.services.book import note_digest
from scorekeeper.scorecards.services.turns import WAITING
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.verification.damage import Damage, tell_unlike
from scorekeeper.standings.selectors.verification.log import EventLog, Written

NAMED = "register_bike"  # the kind of operation that is sent with names
NUMBERING = (NAMED, "renumber_bike", "withdraw_bike")  # those that answer with the number of a bike


@dataclass(frozen=True)
class Beside:
    """What is kept beside the operations of an event, by their ids.

    Attributes:
        notes: the reasons that were given.
        items: the review items that they wait in, or waited.
        published: what the receipt of a publication says of its revision.
    """

    notes: Mapping[UUID, Note]
    items: Mapping[UUID, UUID]
    published: Mapping[UUID, Mapping[str, Any]]


def check_operations(event: Event, log: EventLog) -> Iterator[Damage]:
    """Compare every operation of the event with what the log says was written by it."""
    revisions = Revision.objects.filter(operation__event=event).values_list("operation_id", "number", "event_head")
    beside = Beside(
        notes={note.pk: note for note in Note.objects.filter(operation__event=event)},
        items=dict(ReviewItem.objects.filter(operation__event=event).values_list("operation_id", "pk")),
        published={pk: {"revision": number, "event_head": head} for pk, number, head in revisions},
    )
    unseen = set(log.by_operation)
    for operation in Operation.objects.filter(event=event).order_by("received_at", "pk").iterator():
        unseen.discard(operation.pk)
        written = sorted(log.by_operation.get(operation.pk, []), key=lambda one: one.pk)
        yield from tell_unlike(f"Operation {operation.pk}", _compare(operation, written, beside))
        yield from _check_reason(operation, written, beside.notes.get(operation.pk))
    for operation_id in sorted(unseen):
        yield Damage(f"Operation {operation_id}", "it is missing, and the log has an entry of it")


def _compare(operation: Operation, written: Sequence[Written], beside: Beside) -> dict[str, tuple[object, object]]:
    device = None if operation.device_id is None else str(operation.device_id)
    sent = get_digest(operation.kind, operation.actor_id, operation.body)
    outcomes = _list_outcomes(written, is_in_review=operation.pk in beside.items)
    return {
        "actor": ({str(operation.actor_id)}, _each(str(operation.actor_id), [one.actor for one in written])),
        "device": ({device}, _each(device, [one.device for one in written])),
        "time": ({operation.received_at}, _each(operation.received_at, [one.at for one in written])),
        "outcome": (operation.outcome in outcomes, True),
        "digest": (_fits_digest(operation, beside.notes.get(operation.pk)), True),
        "kind or body": ({sent}, _each(sent, [one.sent for one in written if one.sent is not None])),
        "receipt": (operation.receipt, _tell_receipt(operation, written, beside)),
    }


def _each(own: object, told: Sequence[object]) -> set[object]:
    """Return what the entries tell; what the operation says itself where there are none."""
    return set(told) or {own}


def _list_outcomes(written: Sequence[Written], *, is_in_review: bool) -> Sequence[str]:
    """Return the outcomes that an operation with such entries can have; an entry may tell which."""
    if told := [one.data["outcome"] for one in written if "outcome" in one.data]:
        return told
    if _find_repeat(written) is not None:
        return [Operation.Outcome.MERGED]
    # An entry that names another operation tells that the other was put before the organiser.
    if reasons := [one.data["reason"] for one in written if one.kind == "review" and "operation" not in one.data]:
        return [WAITING[ReviewItem.Reason(reason)] for reason in reasons]
    if is_in_review:
        return list(WAITING.values())
    return [Operation.Outcome.RECORDED if written else Operation.Outcome.MERGED]


def _find_repeat(written: Sequence[Written]) -> Written | None:
    """Return the entry by which an operation repeated another; those of repeats that only moved are of their move."""
    return next((one for one in written if one.kind == "repeat" and one.data["by"] == str(one.operation_id)), None)


def _fits_digest(operation: Operation, note: Note | None) -> bool:
    if operation.kind == NAMED:
        return True
    reason = "" if note is None else note.text
    # With the reason; without one, as of kinds that have none; and so it is once a reason was erased.
    sent = ({**operation.body, "reason": reason}, operation.body)
    return operation.digest in [get_digest(operation.kind, operation.actor_id, body) for body in sent]


def _tell_receipt(operation: Operation, written: Sequence[Written], beside: Beside) -> dict[str, Any]:
    is_merged = operation.outcome == Operation.Outcome.MERGED
    # What was merged may have been put before the organiser later; its receipt was handed out before.
    item = None if is_merged else beside.items.get(operation.pk)
    receipt: dict[str, Any] = {
        "operation": str(operation.pk),
        "outcome": operation.outcome,
        "entries": [{"chain": str(one.chain_id), "seq": one.seq, "hash": one.hash} for one in written],
        "review": None if item is None else str(item),
        "problems": [],
        "data": {},
    }
    if item is not None:
        receipt["problems"] = operation.receipt["problems"]  # compared with the item's
    if operation.kind == "publish":
        receipt["data"] = dict(beside.published.get(operation.pk, {}))
    elif (repeat := _find_repeat(written)) is not None:
        receipt["data"] = {"turn": repeat.data["turn"]}
    elif is_merged:
        receipt["data"] = operation.receipt["data"]  # of what was there already; the log has no entry of it
    elif operation.kind in NUMBERING:
        receipt["data"] = dict(written[0].data)
    return receipt


def _check_reason(operation: Operation, written: Sequence[Written], note: Note | None) -> Iterator[Damage]:
    """Compare the reason that is kept with its digest in the log; an erased one is no damage."""
    digest = None if note is None else note_digest(note.salt, note.text)
    where = f"Reason of {operation.pk}"
    if any(one.note != digest for one in written):
        if note is not None:
            yield Damage(where, "it is not the one that was given")
        elif operation.digest != get_digest(operation.kind, operation.actor_id, operation.body):
            yield Damage(where, "it is missing, and was not erased")

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
from scorekeeper.scorecards.models import Operation, OperationReason, ReviewItem
from scorekeeper.scorecards.operation_body import compute_digest
from scorekeeper.scorecards.services.operation_context import compute_reason_digest
from scorekeeper.scorecards.services.turns import REVIEW_OUTCOMES
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.verification.damage import LogDamage, report_differences
from scorekeeper.standings.selectors.verification.event_log import EventLog, VerifiedEntry

KIND_WITH_NAMES = "register_bike"  # the kind of operation that is sent with names
KINDS_WITH_NUMBER = (KIND_WITH_NAMES, "renumber_bike", "withdraw_bike")  # those that answer with the number of a bike


@dataclass(frozen=True)
class OperationRecords:
    """What is kept beside the operations of an event, by their ids.

    Attributes:
        notes: the reasons that were given.
        items: the review items that they wait in, or waited.
        published: what the receipt of a publication says of its revision.
    """

    reasons: Mapping[UUID, OperationReason]
    review_items: Mapping[UUID, UUID]
    publications: Mapping[UUID, Mapping[str, Any]]


def check_operations(event: Event, log: EventLog) -> Iterator[LogDamage]:
    """Compare every operation of the event with what the log says was written by it."""
    revisions = Revision.objects.filter(operation__event=event).values_list("operation_id", "number", "event_head")
    beside = OperationRecords(
        reasons={note.pk: note for note in OperationReason.objects.filter(operation__event=event)},
        review_items=dict(ReviewItem.objects.filter(operation__event=event).values_list("operation_id", "pk")),
        publications={pk: {"revision": number, "event_head": head} for pk, number, head in revisions},
    )
    unseen = set(log.by_operation)
    for operation in Operation.objects.filter(event=event).order_by("received_at", "pk").iterator():
        unseen.discard(operation.pk)
        written = sorted(log.by_operation.get(operation.pk, []), key=lambda one: one.pk)
        yield from report_differences(f"Operation {operation.pk}", _compare(operation, written, beside))
        yield from _check_reason(operation, written, beside.reasons.get(operation.pk))
    for operation_id in sorted(unseen):
        yield LogDamage(f"Operation {operation_id}", "it is missing, but the log has an entry for it")


def _compare(
    operation: Operation, written: Sequence[VerifiedEntry], beside: OperationRecords
) -> dict[str, tuple[object, object]]:
    device = None if operation.device_id is None else str(operation.device_id)
    sent = compute_digest(operation.kind, operation.actor_id, operation.body)
    outcomes = _list_outcomes(written, is_in_review=operation.pk in beside.review_items)
    return {
        "actor": ({str(operation.actor_id)}, _collect_values(str(operation.actor_id), [one.actor for one in written])),
        "device": ({device}, _collect_values(device, [one.device for one in written])),
        "time": ({operation.received_at}, _collect_values(operation.received_at, [one.at for one in written])),
        "outcome": (operation.outcome in outcomes, True),
        "digest": (_matches_digest(operation, beside.reasons.get(operation.pk)), True),
        "kind or body": (
            {sent},
            _collect_values(sent, [one.body_digest for one in written if one.body_digest is not None]),
        ),
        "receipt": (operation.receipt, _build_expected_receipt(operation, written, beside)),
    }


def _collect_values(own: object, told: Sequence[object]) -> set[object]:
    """Return what the entries tell; what the operation says itself where there are none."""
    return set(told) or {own}


def _list_outcomes(written: Sequence[VerifiedEntry], *, is_in_review: bool) -> Sequence[str]:
    """Return the outcomes that an operation with such entries can have; an entry may tell which."""
    if told := [one.data["outcome"] for one in written if "outcome" in one.data]:
        return told
    if _find_repeat(written) is not None:
        return [Operation.Outcome.MERGED]
    # An entry that names another operation tells that the other was put before the organiser.
    if reasons := [one.data["reason"] for one in written if one.kind == "review" and "operation" not in one.data]:
        return [REVIEW_OUTCOMES[ReviewItem.Reason(reason)] for reason in reasons]
    if is_in_review:
        return list(REVIEW_OUTCOMES.values())
    return [Operation.Outcome.RECORDED if written else Operation.Outcome.MERGED]


def _find_repeat(written: Sequence[VerifiedEntry]) -> VerifiedEntry | None:
    """Return the entry by which an operation repeated another; those of repeats that only moved are of their move."""
    return next((one for one in written if one.kind == "repeat" and one.data["by"] == str(one.operation_id)), None)


def _matches_digest(operation: Operation, note: OperationReason | None) -> bool:
    if operation.kind == KIND_WITH_NAMES:
        return True
    reason = "" if note is None else note.text
    # With the reason; without one, as of kinds that have none; and so it is once a reason was erased.
    sent = ({**operation.body, "reason": reason}, operation.body)
    return operation.digest in [compute_digest(operation.kind, operation.actor_id, body) for body in sent]


def _build_expected_receipt(
    operation: Operation, written: Sequence[VerifiedEntry], beside: OperationRecords
) -> dict[str, Any]:
    is_merged = operation.outcome == Operation.Outcome.MERGED
    # What was merged may have been put before the organiser later; its receipt was handed out before.
    item = None if is_merged else beside.review_items.get(operation.pk)
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
        receipt["data"] = dict(beside.publications.get(operation.pk, {}))
    elif (repeat := _find_repeat(written)) is not None:
        receipt["data"] = {"turn": repeat.data["turn"]}
    elif is_merged:
        receipt["data"] = operation.receipt["data"]  # of what was there already; the log has no entry of it
    elif operation.kind in KINDS_WITH_NUMBER:
        receipt["data"] = dict(written[0].data)
    return receipt


def _check_reason(
    operation: Operation, written: Sequence[VerifiedEntry], note: OperationReason | None
) -> Iterator[LogDamage]:
    """Compare the reason that is kept with its digest in the log; an erased one is no damage."""
    digest = None if note is None else compute_reason_digest(note.salt, note.text)
    where = f"Reason of {operation.pk}"
    if any(one.reason_digest != digest for one in written):
        if note is not None:
            yield LogDamage(where, "it is not the reason that was given")
        elif operation.digest != compute_digest(operation.kind, operation.actor_id, operation.body):
            yield LogDamage(where, "it is missing, but was not erased")

"""Checks of operations against the log: who sent each and when, what was sent, its outcome and its receipt.

- The stored body of an operation is checked against its digest in each of its entries; entries of older versions have
  none.
- The operation's own digest was made with names and reasons, which are stored in tables of their own. A reason, and the
  name of a witness, are added back for the check. A walk-up's names may have been corrected since, so its digest cannot
  be checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.ledger.models import CutWitness, Operation, OperationReason, ReviewItem
from scorekeeper.ledger.operation_body import compute_digest
from scorekeeper.ledger.services.operation_context import compute_reason_digest
from scorekeeper.scorecards.log_damage import LogDamage, damage_in, report_differences
from scorekeeper.scorecards.services.review_causes import REVIEW_OUTCOMES
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.verification.event_log import EventLog, VerifiedEntry

KIND_WITH_NAMES = "register_bike"  # the kind of operation whose body contains names
KINDS_WITH_NUMBER = (KIND_WITH_NAMES, "renumber_bike", "withdraw_bike")  # those whose receipt contains a bike's number


@dataclass(frozen=True)
class OperationRecords:
    """The data stored with the operations of an event, by operation.

    Attributes:
        reasons: the reasons that were given.
        witnesses: of cuts of cards.
        review_items: their review items, open or decided.
        publications: for a publication, the data about its revision in the receipt.
    """

    reasons: Mapping[UUID, OperationReason]
    witnesses: Mapping[UUID, CutWitness]
    review_items: Mapping[UUID, UUID]
    publications: Mapping[UUID, Mapping[str, Any]]


def check_operations(event: Event, log: EventLog) -> Iterator[LogDamage]:
    """Compare every operation of the event with its entries in the log."""
    revisions = Revision.objects.filter(operation__event=event).values_list("operation_id", "number", "event_head")
    records = OperationRecords(
        reasons={reason.pk: reason for reason in OperationReason.objects.filter(operation__event=event)},
        witnesses={witness.pk: witness for witness in CutWitness.objects.filter(operation__event=event)},
        review_items=dict(ReviewItem.objects.filter(operation__event=event).values_list("operation_id", "pk")),
        publications={pk: {"revision": number, "event_head": head} for pk, number, head in revisions},
    )
    missing = set(log.by_operation)
    for operation in Operation.objects.filter(event=event).order_by("received_at", "pk").iterator():
        missing.discard(operation.pk)
        entries = sorted(log.by_operation.get(operation.pk, []), key=lambda entry: entry.pk)
        pairs = _compare(operation, entries, records)
        yield from report_differences(f"Operation {operation.pk}", pairs, Operation, operation.pk)
        yield from _check_reason(operation, entries, records.reasons.get(operation.pk))
        yield from _check_witness(operation, entries, records.witnesses.get(operation.pk))
    for operation_id in sorted(missing):
        text = "it is missing, but the log has an entry for it"
        yield damage_in(Operation, operation_id, f"Operation {operation_id}", text)


def _compare(
    operation: Operation, entries: Sequence[VerifiedEntry], records: OperationRecords
) -> dict[str, tuple[object, object]]:
    actor, device = str(operation.actor_id), None if operation.device_id is None else str(operation.device_id)
    sent = compute_digest(operation.kind, operation.actor_id, operation.body)
    outcomes = _list_outcomes(entries, is_in_review=operation.pk in records.review_items)
    return {
        "actor": ({actor}, _collect_values(actor, [entry.actor for entry in entries])),
        "device": ({device}, _collect_values(device, [entry.device for entry in entries])),
        "time": ({operation.received_at}, _collect_values(operation.received_at, [entry.at for entry in entries])),
        "outcome": (operation.outcome in outcomes, True),
        "digest": (_matches_digest(operation, records), True),
        "kind or body": (
            {sent},
            _collect_values(sent, [entry.body_digest for entry in entries if entry.body_digest is not None]),
        ),
        "receipt": (operation.receipt, _build_expected_receipt(operation, entries, records)),
    }


def _collect_values(own: object, logged: Sequence[object]) -> set[object]:
    """Return the values in the entries; the operation's own value where there are no entries."""
    return set(logged) or {own}


def _list_outcomes(entries: Sequence[VerifiedEntry], *, is_in_review: bool) -> Sequence[str]:
    """Return the outcomes that an operation with these entries can have; an entry may name it."""
    if outcomes := [entry.data["outcome"] for entry in entries if "outcome" in entry.data]:
        return outcomes
    if _find_repeat(entries) is not None:
        return [Operation.Outcome.MERGED]
    # A review entry that names another operation says that the other one was sent to review.
    own_reviews = [entry for entry in entries if entry.kind == "review" and "operation" not in entry.data]
    if reasons := [entry.data["reason"] for entry in own_reviews]:
        return [REVIEW_OUTCOMES[ReviewItem.Reason(reason)] for reason in reasons]
    if is_in_review:
        return list(REVIEW_OUTCOMES.values())
    return [Operation.Outcome.RECORDED if entries else Operation.Outcome.MERGED]


def _find_repeat(entries: Sequence[VerifiedEntry]) -> VerifiedEntry | None:
    """Return the entry by which an operation repeated another. Moved repeats are ignored: they belong to their move."""
    repeats = (entry for entry in entries if entry.kind == "repeat")
    return next((entry for entry in repeats if entry.data["by"] == str(entry.operation_id)), None)


def _matches_digest(operation: Operation, records: OperationRecords) -> bool:
    if operation.kind == KIND_WITH_NAMES:
        return True
    reason, witness = records.reasons.get(operation.pk), records.witnesses.get(operation.pk)
    named = {} if witness is None else {"witness": witness.name}
    text = "" if reason is None else reason.text
    # With the reason, or without one for kinds that have none. Once a text was erased, without any.
    bodies = ({**operation.body, **named, "reason": text}, {**operation.body, **named}, operation.body)
    return operation.digest in [compute_digest(operation.kind, operation.actor_id, body) for body in bodies]


def _build_expected_receipt(
    operation: Operation, entries: Sequence[VerifiedEntry], records: OperationRecords
) -> dict[str, Any]:
    is_merged = operation.outcome == Operation.Outcome.MERGED
    # A merged operation may have been sent to review later; its receipt was issued before.
    item = None if is_merged else records.review_items.get(operation.pk)
    receipt: dict[str, Any] = {
        "operation": str(operation.pk),
        "outcome": operation.outcome,
        "entries": [{"chain": str(entry.chain_id), "seq": entry.seq, "hash": entry.hash} for entry in entries],
        "review": None if item is None else str(item),
        "problems": [],
        "data": {},
    }
    if item is not None:
        receipt["problems"] = operation.receipt["problems"]  # compared with the item's
    if operation.kind == "publish":
        receipt["data"] = dict(records.publications.get(operation.pk, {}))
    elif (repeat := _find_repeat(entries)) is not None:
        receipt["data"] = {"turn": repeat.data["turn"]}
    elif is_merged:
        receipt["data"] = operation.receipt["data"]  # about the earlier entry; the log has no entry of this operation
    elif operation.kind in KINDS_WITH_NUMBER:
        receipt["data"] = dict(entries[0].data)
    return receipt


def _check_reason(
    operation: Operation, entries: Sequence[VerifiedEntry], reason: OperationReason | None
) -> Iterator[LogDamage]:
    """Compare the stored reason with its digest in the log; an erased reason is not damage."""
    digest = None if reason is None else compute_reason_digest(reason.salt, reason.text)
    location = f"Reason of {operation.pk}"
    if any(entry.reason_digest != digest for entry in entries):
        if reason is not None:
            yield damage_in(OperationReason, operation.pk, location, "it is not the reason that was given")
        elif not _is_erased(operation):
            yield damage_in(OperationReason, operation.pk, location, "it is missing, but was not erased")


def _check_witness(
    operation: Operation, entries: Sequence[VerifiedEntry], witness: CutWitness | None
) -> Iterator[LogDamage]:
    """Compare the stored witness with the digest in the log; cuts of older versions have none, and an erased name is
    not damage.
    """
    digest = None if witness is None else compute_reason_digest(witness.salt, witness.name)
    location = f"Witness of {operation.pk}"
    if any(entry.data.get("witness") != digest for entry in entries):
        if witness is not None:
            yield damage_in(CutWitness, operation.pk, location, "it is not the witness that was named")
        elif not _is_erased(operation):
            yield damage_in(CutWitness, operation.pk, location, "it is missing, but was not erased")


def _is_erased(operation: Operation) -> bool:
    """Whether a text of the operation was erased; its digest is then that of the rest."""
    return operation.digest == compute_digest(operation.kind, operation.actor_id, operation.body)

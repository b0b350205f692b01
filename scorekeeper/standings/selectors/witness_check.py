"""Comparing the log with the receipts that phones were given.

A log that someone truncated or rewrote, with every hash recomputed, is as consistent as the true one. But it does not
match the receipts issued before: each names an operation's entries by their numbers and hashes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from uuid import UUID

from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.ledger.witness import WitnessedEntry, WitnessedOperation
from scorekeeper.standings.selectors.verification import LogDamage

BATCH_SIZE = 500  # operations for each statement


def compare_with_log(receipts: Sequence[WitnessedOperation], events: Collection[Event]) -> Iterator[LogDamage]:
    """Return every difference between a phone's receipts and the log, and what could not be compared.

    Args:
        receipts: the content of a witness file.
        events: the events whose logs are compared.
    """
    event_ids = {event.pk for event in events}
    named_ids = [receipt.event_id for receipt in receipts if receipt.event_id is not None]
    elsewhere = Counter(event_id for event_id in named_ids if event_id not in event_ids)
    yield from _report_other_events(elsewhere)
    rest = iter([receipt for receipt in receipts if receipt.event_id not in elsewhere])
    while batch := list(islice(rest, BATCH_SIZE)):
        yield from _compare(batch, event_ids)


def _report_other_events(counted: Counter[UUID]) -> Iterator[LogDamage]:
    events = Event.objects.in_bulk(list(counted))
    deleted_events = DeletedEvent.objects.in_bulk(list(counted))
    for pk, count in counted.items():
        if pk in events:
            name = events[pk].slug
        elif pk in deleted_events:
            deleted = deleted_events[pk]
            name = f"{deleted.slug}, which was deleted on {deleted.deleted_at:%Y-%m-%d},"
        else:
            name = f"{pk}, which is not here"
        yield LogDamage(f"Event {name}", f"{count} of the receipts belong to this event and were not compared")


def _compare(batch: Sequence[WitnessedOperation], event_ids: Collection[UUID]) -> Iterator[LogDamage]:
    ids = [receipt.operation_id for receipt in batch]
    operations = Operation.objects.only("event_id", "outcome").in_bulk(ids)
    written: dict[UUID, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(operation_id__in=ids).defer("body").order_by("chain_id", "seq"):
        written[entry.operation_id].append(entry)
    for receipt in batch:
        location = f"Operation {receipt.operation_id}"
        operation = operations.get(receipt.operation_id)
        if operation is None:
            yield LogDamage(location, f"it is missing; the phone’s receipt says {_describe(receipt)}")
        elif operation.event_id not in event_ids:
            yield LogDamage(location, "it belongs to another event and was not compared")
        else:
            if operation.outcome != receipt.outcome:
                yield LogDamage(
                    location, f"its outcome is “{operation.outcome}”; the phone’s receipt says {_describe(receipt)}"
                )
            for expected in receipt.entries:
                mismatch = _describe_mismatch(expected, written[receipt.operation_id])
                if mismatch:
                    yield LogDamage(location, mismatch)


def _describe(receipt: WitnessedOperation) -> str:
    places = ", ".join(f"entry {entry.seq} of chain {entry.chain_id}" for entry in receipt.entries)
    return f"“{receipt.outcome}”{', ' if places else ''}{places}"


def _describe_mismatch(expected: WitnessedEntry, entries: Sequence[Entry]) -> str:
    """Return how the log differs from an entry in a receipt; "" where it matches."""
    in_chain = [entry for entry in entries if entry.chain_id == expected.chain_id]
    name = f"entry {expected.seq} of chain {expected.chain_id}"
    if any((entry.seq, entry.hash) == (expected.seq, expected.hash) for entry in in_chain):
        return ""
    if not in_chain:
        return f"it is no longer in the log; the phone’s receipt says {name}"
    same_hash = next((entry for entry in in_chain if entry.hash == expected.hash), None)
    if same_hash is not None:
        return f"it is entry {same_hash.seq}; the phone’s receipt says {name}"
    same_seq = next((entry for entry in in_chain if entry.seq == expected.seq), None)
    if same_seq is not None:
        return f"the hash of {name} is {same_seq.hash}; the phone’s receipt says {expected.hash}"
    found = f"entry {in_chain[0].seq} with the hash {in_chain[0].hash}"
    return f"it is {found}; the phone’s receipt says {name}, {expected.hash}"

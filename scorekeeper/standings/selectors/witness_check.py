"""Comparing the log with what phones were told of it.

A log that somebody cut short or wrote anew, with every hash made again, fits together as well as the true one does. It
does not fit the receipts that were handed out before: each names an operation's entries by their numbers and hashes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.scorecards.models import Entry, Operation
from scorekeeper.scorecards.witness import WitnessedEntry, WitnessedOperation
from scorekeeper.standings.selectors.verification import LogDamage

BATCH_SIZE = 500  # operations of one statement


def compare_with_log(told: Sequence[WitnessedOperation], events: Collection[Event]) -> Iterator[LogDamage]:
    """Return everything that a phone was told and that the log does not say; also what could not be compared.

    Args:
        told: as a witness holds it.
        events: those whose log is looked at.
    """
    looked_at = {event.pk for event in events}
    elsewhere = Counter(one.event_id for one in told if one.event_id is not None and one.event_id not in looked_at)
    yield from _report_other_events(elsewhere)
    rest = iter([one for one in told if one.event_id not in elsewhere])
    while some := list(islice(rest, BATCH_SIZE)):
        yield from _compare(some, looked_at)


def _report_other_events(counted: Counter[UUID]) -> Iterator[LogDamage]:
    known = Event.objects.in_bulk(list(counted))
    for pk, count in counted.items():
        name = known[pk].slug if pk in known else f"{pk}, which is not here"
        yield LogDamage(f"Event {name}", f"{count} of the receipts belong to this event and were not compared")


def _compare(some: Sequence[WitnessedOperation], looked_at: Collection[UUID]) -> Iterator[LogDamage]:
    ids = [one.operation_id for one in some]
    operations = Operation.objects.only("event_id", "outcome").in_bulk(ids)
    written: dict[UUID, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(operation_id__in=ids).defer("body").order_by("chain_id", "seq"):
        written[entry.operation_id].append(entry)
    for one in some:
        where = f"Operation {one.operation_id}"
        operation = operations.get(one.operation_id)
        if operation is None:
            yield LogDamage(where, f"it is missing; the phone’s receipt says {_describe(one)}")
        elif operation.event_id not in looked_at:
            yield LogDamage(where, "it belongs to another event and was not compared")
        else:
            if operation.outcome != one.outcome:
                yield LogDamage(
                    where, f"its outcome is “{operation.outcome}”; the phone’s receipt says {_describe(one)}"
                )
            for entry_told in one.entries:
                what = _describe_mismatch(entry_told, written[one.operation_id])
                if what:
                    yield LogDamage(where, what)


def _describe(one: WitnessedOperation) -> str:
    places = ", ".join(f"entry {entry.seq} of chain {entry.chain_id}" for entry in one.entries)
    return f"“{one.outcome}”{', ' if places else ''}{places}"


def _describe_mismatch(told: WitnessedEntry, written: Sequence[Entry]) -> str:
    """Return what is wrong with an entry among those that its operation wrote; "" where it is as it was told."""
    here = [entry for entry in written if entry.chain_id == told.chain_id]
    name = f"entry {told.seq} of chain {told.chain_id}"
    if any((entry.seq, entry.hash) == (told.seq, told.hash) for entry in here):
        return ""
    if not here:
        return f"it no longer stands in the log as {name}, as the phone was told"
    same = next((entry for entry in here if entry.hash == told.hash), None)
    if same is not None:
        return f"it is entry {same.seq}; the phone was told {name}"
    at = next((entry for entry in here if entry.seq == told.seq), None)
    if at is not None:
        return f"the hash of {name} is {at.hash}; the phone was told {told.hash}"
    return f"it is entry {here[0].seq} with the hash {here[0].hash}; the phone was told {name}, {told.hash}"

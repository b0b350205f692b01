"""When a phone's entries were recorded, as far as the server can tell.

Device clocks decide nothing, and an entry may have waited on its phone for hours. What the server knows is when each
operation reached it, and that a phone sends everything it has, oldest first. So an operation was recorded before it was
received. If it came alone, and so did the phone's operation before it, it was also recorded after that one was
received, since otherwise both would have come together.

Terms: a *delivery* is a run of operations that a phone sent together, or right after one another. Nobody records two
turns as quickly as a queue is sent.

Invariant: a lower limit is only given where it is certain, except after entries that another phone relayed: the log
does not tell these from entries that the phone sent itself (decision 32).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from uuid import UUID

# Between two operations of one delivery, at most.
DELIVERY_GAP = dt.timedelta(seconds=10)


class ReceivedOperation(NamedTuple):
    """An operation, the phone it was recorded on, and when the server received it."""

    id: UUID
    device_id: UUID
    received_at: dt.datetime


class RecordingTime(NamedTuple):
    """The limits between which an operation was recorded. `after` is None if nothing is known about it."""

    after: dt.datetime | None
    before: dt.datetime

    def is_certainly_within(self, other: RecordingTime, limit: dt.timedelta) -> bool:
        """Return whether the two were recorded within this time of each other, whenever that was."""
        if self.after is None or other.after is None:
            return False
        return max(self.before - other.after, other.before - self.after) <= limit


def find_recording_times(operations: Iterable[ReceivedOperation]) -> Mapping[UUID, RecordingTime]:
    """Return the limits for each operation, by its id."""
    by_device: dict[UUID, list[ReceivedOperation]] = defaultdict(list)
    for operation in operations:
        by_device[operation.device_id].append(operation)
    times: dict[UUID, RecordingTime] = {}
    for sent in by_device.values():
        alone_before: dt.datetime | None = None  # when the delivery before was received, if it was a single operation
        for delivery in _split_into_deliveries(sent):
            is_alone = len(delivery) == 1
            for operation in delivery:
                times[operation.id] = RecordingTime(alone_before if is_alone else None, operation.received_at)
            alone_before = delivery[-1].received_at if is_alone else None
    return times


def _split_into_deliveries(operations: list[ReceivedOperation]) -> Iterator[list[ReceivedOperation]]:
    delivery: list[ReceivedOperation] = []
    for operation in sorted(operations, key=lambda each: (each.received_at, each.id)):
        if delivery and operation.received_at - delivery[-1].received_at > DELIVERY_GAP:
            yield delivery
            delivery = []
        delivery.append(operation)
    if delivery:
        yield delivery

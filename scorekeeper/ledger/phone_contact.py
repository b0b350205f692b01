"""Records what a phone tells of its memory with each of its requests."""

from __future__ import annotations

from scorekeeper.crew.models import Device
from scorekeeper.crew.services.phone_memory import parse_memory, record_memory
from scorekeeper.ledger.models import Operation


def record_phone_contact(device: Device, told: str) -> None:
    """Record what the request of a phone tells of its memory, and whether one was lost.

    Args:
        device: the phone that the request names. It is updated, too.
        told: the request's header `MEMORY_HEADER`; "" if it has none.
    """
    record_memory(device, parse_memory(told), _count_received)


def _count_received(device: Device) -> int:
    return Operation.objects.filter(device_id=device.pk).count()

"""Operations received from phones after they were revoked or had expired."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from scorekeeper.ledger.models import Operation


def count_received_since(event_id: UUID, device_id: UUID, since: dt.datetime) -> int:
    """Return how many operations of a device have been received since then."""
    return Operation.objects.filter(event_id=event_id, device_id=device_id, received_at__gte=since).count()

"""Bikes whose registration was undone: there is no bike with such an id, and there never will be."""

from __future__ import annotations

from uuid import UUID

from scorekeeper.ledger.models import Operation


def was_withdrawn(event_id: UUID, bike_id: UUID) -> bool:
    """Return whether a phone has undone the registration of a bike."""
    return Operation.objects.filter(
        event_id=event_id, kind="withdraw_bike", outcome=Operation.Outcome.RECORDED, body__bike=str(bike_id)
    ).exists()

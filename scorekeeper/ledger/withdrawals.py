"""Bikes whose registration was undone, and further sheets whose sale was."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q

from scorekeeper.ledger.models import Operation


def was_withdrawn(event_id: UUID, bike_id: UUID) -> bool:
    """Return whether the registration of a bike, or the sale of a further sheet, was undone."""
    bike, sheet = Q(kind="withdraw_bike", body__bike=str(bike_id)), Q(kind="withdraw_sheet", body__sheet=str(bike_id))
    return Operation.objects.filter(bike | sheet, event_id=event_id, outcome=Operation.Outcome.RECORDED).exists()

"""Bikes that share a number: two groups may have registered the same rider."""

from __future__ import annotations

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_bikes
from scorekeeper.events.models import Event


def list_duplicates(event: Event) -> list[Bike]:
    """Return the bikes that share their number with an earlier one."""
    return list(list_bikes(event).filter(suffix__gt=1).prefetch_related("players"))

"""Stores what calendars are about to get of rides, and counts their changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.utils import timezone

from scorekeeper.embeds.models import CalendarEntry
from scorekeeper.embeds.ride_details import RideDetails


def record_calendar_entries(rides: Sequence[RideDetails]) -> Mapping[UUID, CalendarEntry]:
    """Return the entry of each ride by its event's id, after storing what has changed since the last calendar.

    Nothing is written while nothing has changed. Of two processes that see a change at once, one counts it.
    """
    found = CalendarEntry.objects.in_bulk([ride.event_id for ride in rides])
    new = [ride for ride in rides if ride.event_id not in found]
    if new:
        CalendarEntry.objects.bulk_create(
            [
                CalendarEntry(
                    event_id=ride.event_id,
                    name=ride.name,
                    date=ride.date,
                    is_listed=ride.is_listed,
                    digest=ride.digest,
                    changed_at=ride.created_at,
                )
                for ride in new
            ],
            ignore_conflicts=True,
        )
    changed = [ride for ride in rides if ride.event_id in found and _has_changed(found[ride.event_id], ride)]
    for ride in changed:
        before = found[ride.event_id]
        is_shown = before.digest != ride.digest
        CalendarEntry.objects.filter(pk=ride.event_id, digest=before.digest, is_listed=before.is_listed).update(
            name=ride.name,
            date=ride.date,
            is_listed=ride.is_listed,
            digest=ride.digest,
            sequence=before.sequence + is_shown,
            changed_at=timezone.now() if is_shown else before.changed_at,
        )
    return CalendarEntry.objects.in_bulk([ride.event_id for ride in rides]) if new or changed else found


def _has_changed(entry: CalendarEntry, ride: RideDetails) -> bool:
    return (entry.digest, entry.is_listed) != (ride.digest, ride.is_listed)

"""Snapshots of a ride for the crew's phones: that something has changed, but not what. Phones fetch that themselves.

The stream is for the phones of the ride's crew and its organisers. While the standings are frozen, nobody else may
learn that something was recorded.
"""

from __future__ import annotations

import hashlib
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.live.page_snapshot import PageSnapshot
from scorekeeper.live.selectors.ride_version import get_ride_version

VERSION_LENGTH = 16  # characters


class RideSource:
    """Takes snapshots of a ride that contain nothing but its version."""

    def __init__(self, event: Event) -> None:
        self._event_id = event.pk
        self._contests = frozenset(list_contests(event).values_list("pk", flat=True))

    @property
    def subjects(self) -> frozenset[UUID]:
        """The contests, and the event, which changes when a message is sent."""
        return self._contests | {self._event_id}

    def take_snapshot(self) -> PageSnapshot | None:
        """Return the ride's current version, or None if there is no such ride."""
        event = Event.objects.filter(pk=self._event_id).first()
        if event is None:
            return None
        # From now on, watch contests that were added since.
        self._contests = frozenset(list_contests(event).values_list("pk", flat=True))
        version = hashlib.sha256(repr(get_ride_version(event, self._contests)).encode()).hexdigest()[:VERSION_LENGTH]
        return PageSnapshot(id=version, frame=version, root="ride", parts={}, render=lambda: version)


def find_ride_source(event_id: UUID) -> RideSource | None:
    """Return the source for a ride, or None if there is no such ride."""
    event = Event.objects.filter(pk=event_id).first()
    return None if event is None else RideSource(event)

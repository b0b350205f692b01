"""Tells the crew's phones that something of their ride has changed, and not what: they fetch that themselves.

It is found by the ride's id, which only its crew and its organisers are told.
"""

from __future__ import annotations

import hashlib
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.live.page_snapshot import PageSnapshot
from scorekeeper.live.selectors.ride_version import get_ride_version

VERSION_LENGTH = 16  # characters that tell one state of a ride from another


class RideSource:
    """Takes pictures of a ride that show nothing but whether it is the same."""

    def __init__(self, event: Event) -> None:
        self.subjects = frozenset(list_contests(event).values_list("pk", flat=True))
        self._event_id = event.pk

    def take_snapshot(self) -> PageSnapshot | None:
        """Return a word for the ride as it is; None when there is no such ride."""
        event = Event.objects.filter(pk=self._event_id).first()
        if event is None:
            return None
        # A contest that was added since is watched like the others from now on.
        self.subjects = frozenset(list_contests(event).values_list("pk", flat=True))
        word = hashlib.sha256(repr(get_ride_version(event, self.subjects)).encode()).hexdigest()[:VERSION_LENGTH]
        return PageSnapshot(id=word, frame=word, root="ride", parts={}, render=lambda: word)


def find_ride_source(event_id: UUID) -> RideSource | None:
    """Return the source for a ride, or None where there is none."""
    event = Event.objects.filter(pk=event_id).first()
    return None if event is None else RideSource(event)

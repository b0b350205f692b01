"""What the calendars of other people have seen of a ride, so that they notice a change and a cancellation."""

from __future__ import annotations

from django.db import models


class CalendarEntry(models.Model):
    """An event as it was last sent in a calendar. There is none before its first time.

    It stays when the event is deleted, and is then all that calendars need in order to show the ride as cancelled. So
    it has no foreign key, and the name that calendars know: an event that was hidden may have got another one since.

    Attributes:
        event_id: the id of the event, also of a deleted one; the `UID` in calendars.
        name: of the ride.
        date: the day of the ride.
        is_listed: whether the front page listed it.
        digest: of everything that calendars show of it.
        sequence: how often that has changed since the first time; the `SEQUENCE` in calendars.
        changed_at: when it last did; the `DTSTAMP`. Of an event that never changed, when it was created.
    """

    event_id = models.UUIDField(primary_key=True, editable=False)
    name = models.CharField(max_length=200)
    date = models.DateField()
    is_listed = models.BooleanField()
    digest = models.CharField(max_length=64)
    sequence = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.event_id} {self.sequence}"

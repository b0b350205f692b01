"""Reads the events and the results that feeds and calendars announce.

Invariant: what lists several events names only those that the front page lists, or has listed before they were
archived. An event that is not listed is found by its own address alone.
"""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.audience.visible_standings import Publication, list_publications
from scorekeeper.embeds.icalendar import CalendarRide
from scorekeeper.embeds.models import CalendarEntry
from scorekeeper.events.models import Contest, DeletedEvent, Event
from scorekeeper.events.selectors import list_listed_events
from scorekeeper.seasons.models import Season

MAX_RESULTS = 50  # in a feed; older ones are left out
MAX_RIDES = 300  # in a calendar


def list_results(season: Season | None = None) -> list[Publication]:
    """Return the last results that were published, the latest first, of listed events.

    Args:
        season: only those that count for it; None for all.
    """
    contests = Contest.objects.filter(event__in=list_listed_events(with_archived=True).order_by())
    if season is not None:
        contests = contests.filter(pk__in=season.rounds.values("contest"))
    return list_publications(contests, MAX_RESULTS)


def list_rides(season: Season | None = None) -> QuerySet[Event]:
    """Return the listed events, the latest day first, with their contests and stops.

    Args:
        season: only those that have a round of it; None for all.
    """
    events = list_listed_events(with_archived=True)
    if season is not None:
        events = events.filter(pk__in=season.rounds.values("contest__event"))
    return with_details(events)[:MAX_RIDES]


def with_details(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return the same events with what `ride_details` reads of them."""
    return events.prefetch_related("contests", "stops")


def list_cancelled_rides() -> list[CalendarRide]:
    """Return the listed rides that were deleted before their day was over, after a calendar had them."""
    gone = DeletedEvent.objects.exclude(pk__in=Event.objects.values("pk"))  # an event that was imported again is there
    deleted = {event.pk: event for event in gone}
    entries = CalendarEntry.objects.filter(pk__in=list(deleted), is_listed=True).order_by("-date", "pk")[:MAX_RIDES]
    return [
        _cancel(entry, deleted[entry.pk]) for entry in entries if _is_before_end(entry, deleted[entry.pk].deleted_at)
    ]


def get_cancelled_ride(slug: str) -> CalendarRide | None:
    """Return a ride that was deleted before its day was over, after a calendar had it."""
    deleted = DeletedEvent.objects.filter(slug=slug).first()
    entry = None if deleted is None else CalendarEntry.objects.filter(pk=deleted.pk).first()
    if deleted is None or entry is None or not _is_before_end(entry, deleted.deleted_at):
        return None
    return _cancel(entry, deleted)


def _is_before_end(entry: CalendarEntry, deleted_at: dt.datetime) -> bool:
    return deleted_at.date() <= entry.date


def _cancel(entry: CalendarEntry, deleted: DeletedEvent) -> CalendarRide:
    event_id: UUID = entry.event_id
    return CalendarRide(event_id, entry.name, entry.date, entry.sequence + 1, deleted.deleted_at, is_cancelled=True)

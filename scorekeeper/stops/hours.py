"""When a stop is open, as moments: its hours are times of day on the day of the event, in the event's time zone."""

from __future__ import annotations

import datetime as dt

from scorekeeper.common.event_dates import get_nearest_event_date
from scorekeeper.events.models import Event
from scorekeeper.stops.models import Stop

ONE_DAY = dt.timedelta(days=1)


def get_opening_time(stop: Stop, event: Event) -> dt.datetime | None:
    """Return when the stop opens; None if that is not known."""
    return None if stop.opens_at is None else _combine(event, stop.opens_at)


def get_closing_time(stop: Stop, event: Event) -> dt.datetime | None:
    """Return when the stop closes; None if that is not known. A stop that closes before it opens closes a day later."""
    if stop.closes_at is None:
        return None
    is_next_day = stop.opens_at is not None and stop.closes_at <= stop.opens_at
    return _combine(event, stop.closes_at, ONE_DAY if is_next_day else dt.timedelta())


def _combine(event: Event, time: dt.time, later: dt.timedelta = dt.timedelta()) -> dt.datetime:
    date = get_nearest_event_date(event.date)  # no calendar goes on after the year 9999
    return dt.datetime.combine(date + later, time, event.zone)

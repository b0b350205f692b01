"""What calendars say about a ride: when and where it begins, and what is played. All of it is on its public pages."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.common.languages import speaking
from scorekeeper.events.event_language import get_event_language
from scorekeeper.events.models import Event
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.stops.models import Stop


@dataclass(frozen=True, slots=True)
class RideDetails:
    """A ride as calendars show it, in the language of the event.

    Attributes:
        starts_at, ends_at: when its first stop opens and its last one closes; None unless both are known.
        location: the first stop, with its address.
        slug: of the event, for its address.
    """

    event_id: UUID
    slug: str
    name: str
    date: dt.date
    starts_at: dt.datetime | None
    ends_at: dt.datetime | None
    location: str
    description: str
    is_listed: bool
    created_at: dt.datetime

    @property
    def digest(self) -> str:
        """A digest of everything that is shown."""
        times = [None if time is None else time.isoformat() for time in (self.starts_at, self.ends_at)]
        shown = [self.slug, self.name, self.date.isoformat(), *times, self.location, self.description]
        return sha256(canonical_json(shown))


def list_ride_details(events: Iterable[Event]) -> list[RideDetails]:
    """Return the details of events whose contests and stops were prefetched."""
    return [_describe_ride(event) for event in events]


def _describe_ride(event: Event) -> RideDetails:
    stops = sorted(event.stops.all(), key=lambda stop: stop.ordinal)
    starts_at, ends_at = _find_times(event, stops)
    contests = sorted(event.contests.all(), key=lambda contest: (contest.ordinal, contest.name))
    with speaking(get_event_language(event)):
        name = _("Practice: %(event)s") % {"event": event.name} if event.is_practice else event.name
        played = ", ".join(contest.name for contest in contests)
        description = _("Played: %(contests)s") % {"contests": played} if played else ""
    return RideDetails(
        event.pk,
        event.slug,
        name,
        event.date,
        starts_at,
        ends_at,
        ", ".join(filter(None, (stops[0].name, stops[0].address))) if stops else "",
        description,
        event.is_listed,
        event.created_at,
    )


def _find_times(event: Event, stops: Sequence[Stop]) -> tuple[dt.datetime | None, dt.datetime | None]:
    """Return when the first stop opens and the last one closes, in the time zone of the event."""
    if not stops or stops[0].opens_at is None or stops[-1].closes_at is None:
        return None, None
    starts_at = dt.datetime.combine(event.date, stops[0].opens_at, event.zone)
    ends_at = dt.datetime.combine(event.date, stops[-1].closes_at, event.zone)
    return starts_at, ends_at if ends_at > starts_at else ends_at + dt.timedelta(days=1)

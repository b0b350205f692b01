"""The stops of a ride, and the turns of a contest that are rolled at them.

Terms: a *slot* is one turn of a contest at a stop. The slots of a contest are numbered from 1 in the order of play. A
stop can have several slots, such as the last two at the finale of a ride.

Invariant: where a game takes its number of turns from the slots, that number is derived and never typed.
"""

from __future__ import annotations

import datetime as dt

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.events.models import Contest, Event
from scorekeeper.stops.coordinates import Coordinates, make_geo_uri, make_map_url

MAX_DISTANCE = 5_000_000  # metres: from one end of a continent to the other


class Stop(UUIDModel):
    """A place on the ride where dice are rolled; the stops of an event have an order."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stops")
    name = NameField(_("name"), max_length=80)
    ordinal = models.PositiveSmallIntegerField(_("order"))
    # In the event's time zone. A stop that closes before it opens closes on the day after.
    opens_at = models.TimeField(_("opens"), null=True, blank=True)
    closes_at = models.TimeField(_("closes"), null=True, blank=True)
    address = models.CharField(_("address"), max_length=200, blank=True, default="", db_default="")
    latitude = models.DecimalField(_("latitude"), max_digits=8, decimal_places=6, null=True, blank=True)
    longitude = models.DecimalField(_("longitude"), max_digits=9, decimal_places=6, null=True, blank=True)
    crew_note = models.CharField(_("note for the crew"), max_length=300, blank=True, default="", db_default="")
    # In metres, along the road; of the first stop, from where the ride starts. None if it is not known.
    distance = models.PositiveIntegerField(
        _("distance from the stop before"), null=True, blank=True, validators=[MaxValueValidator(MAX_DISTANCE)]
    )

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["event", "ordinal"], name="stop_ordinal_once_per_event")]

    def __str__(self) -> str:
        return self.name

    @property
    def coordinates(self) -> Coordinates | None:
        """Where it is on the map, if that is known."""
        if self.latitude is None or self.longitude is None:
            return None
        return Coordinates(self.latitude, self.longitude)

    @property
    def geo_uri(self) -> str:
        """The URI that opens it in a phone's map; "" if its place is not known."""
        return make_geo_uri(self.coordinates, self.address, self.name)

    @property
    def map_url(self) -> str:
        """The URL of its place on a public map; "" if its place is not known."""
        return make_map_url(self.coordinates, self.address)

    @property
    def hours(self) -> str:
        """When it is open, in words; "" if it has no hours."""
        opens, closes = (None if time is None else f"{time:%H:%M}" for time in (self.opens_at, self.closes_at))
        if opens is None or closes is None:
            until = "" if closes is None else _("until %(closes)s") % {"closes": closes}
            return str(until if opens is None else _("from %(opens)s") % {"opens": opens})
        text = _("%(opens)s to %(closes)s the next day") if self.closes_next_day else _("%(opens)s to %(closes)s")
        return str(text % {"opens": opens, "closes": closes})

    def is_open_at(self, moment: dt.datetime, day: dt.date) -> bool:
        """Return whether it is open at a moment of a ride on this day, both in the event's time zone.

        A stop without hours is not. One without a closing time is open until midnight, and one without an opening time
        from midnight on.
        """
        if self.opens_at is None and self.closes_at is None:
            return False
        opens = dt.datetime.combine(day, self.opens_at or dt.time.min)
        closing_day = day + dt.timedelta(days=1 if self.closes_next_day or self.closes_at is None else 0)
        return opens <= moment.replace(tzinfo=None) < dt.datetime.combine(closing_day, self.closes_at or dt.time.min)

    @property
    def closes_next_day(self) -> bool:
        """Whether it closes after midnight."""
        return self.opens_at is not None and self.closes_at is not None and self.closes_at <= self.opens_at


class Slot(UUIDModel):
    """A turn of a contest that is rolled at a stop."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="slots")
    stop = models.ForeignKey(Stop, on_delete=models.PROTECT, related_name="slots")
    ordinal = models.PositiveSmallIntegerField(_("turn"))

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["contest", "ordinal"], name="slot_ordinal_once_per_contest")]

    def __str__(self) -> str:
        return f"{self.stop.name} ({self.ordinal})"

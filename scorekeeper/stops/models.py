"""The stops of a ride, and the turns of a contest that are rolled at them.

Terms: a *slot* is one turn of a contest at a stop. The slots of a contest are numbered from 1 in the order of play. A
stop can have several slots, such as the last two at the finale of a ride.

Invariant: where a game takes its number of turns from the slots, that number is derived and never typed.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.events.models import Contest, Event


class Stop(UUIDModel):
    """A place on the ride where dice are rolled; the stops of an event have an order."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stops")
    name = models.CharField(_("name"), max_length=80)
    ordinal = models.PositiveSmallIntegerField(_("order"))
    # In the event's time zone. A stop that closes before it opens closes on the day after.
    opens_at = models.TimeField(_("opens"), null=True, blank=True)
    closes_at = models.TimeField(_("closes"), null=True, blank=True)
    address = models.CharField(_("address"), max_length=200, blank=True, default="", db_default="")
    latitude = models.DecimalField(_("latitude"), max_digits=8, decimal_places=6, null=True, blank=True)
    longitude = models.DecimalField(_("longitude"), max_digits=9, decimal_places=6, null=True, blank=True)
    crew_note = models.CharField(_("note for the crew"), max_length=300, blank=True, default="", db_default="")

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["event", "ordinal"], name="stop_ordinal_once_per_event")]

    def __str__(self) -> str:
        return self.name


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

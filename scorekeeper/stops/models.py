"""Stops of a ride, and the turns of a contest that belong to them.

Terms: a *slot* is one turn of a contest, held at a stop. Slots of a contest are numbered from 1 in the order they are
played; a stop may hold several (the finale of a ride holds the last two). Where a game takes its number of turns from
the slots, that number follows and is never typed.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.events.models import Contest, Event


class Stop(UUIDModel):
    """A place on the ride, in order."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="stops")
    name = models.CharField(_("name"), max_length=80)
    ordinal = models.PositiveSmallIntegerField(_("order"))

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["event", "ordinal"], name="stop_ordinal_once_per_event")]

    def __str__(self) -> str:
        return self.name


class Slot(UUIDModel):
    """A turn of a contest that belongs to a stop."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="slots")
    stop = models.ForeignKey(Stop, on_delete=models.PROTECT, related_name="slots")
    ordinal = models.PositiveSmallIntegerField(_("turn"))

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["contest", "ordinal"], name="slot_ordinal_once_per_contest")]

    def __str__(self) -> str:
        return f"{self.stop.name} ({self.ordinal})"

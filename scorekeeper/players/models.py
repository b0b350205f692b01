"""Players: the people of an event, with or without a bike."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.common.models import UUIDModel
from scorekeeper.events.models import Event


class Player(UUIDModel):
    """A person at an event."""

    class Role(models.TextChoices):
        RIDER = "rider", _("Rider")
        PASSENGER = "passenger", _("Passenger")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="players")
    name = models.CharField(_("name"), max_length=80)
    bike = models.ForeignKey(
        Bike, on_delete=models.PROTECT, null=True, blank=True, related_name="players", verbose_name=_("bike")
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, blank=True)

    class Meta:
        # "rider" sorts after "passenger", and the rider comes first.
        ordering = ["-role", "name"]

    def __str__(self) -> str:
        return self.name

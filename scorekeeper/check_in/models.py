"""The check-in list of an event, and what has been ticked.

Terms: a *check item* is something to tick for each bike, such as “paid”. A *bike check* says that it is ticked.

Invariant: bike checks follow from the entries in the event's chain, and can be made again from them.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.common.models import UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.events.models import Event

MAX_NAME_LENGTH = 60


class CheckItem(UUIDModel):
    """Something to tick for each bike; the items of an event have an order."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="check_items")
    name = NameField(_("name"), max_length=MAX_NAME_LENGTH)
    ordinal = models.PositiveSmallIntegerField(_("order"))

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["event", "name"], name="check_item_name_once_per_event")]

    def __str__(self) -> str:
        return self.name


class BikeCheck(models.Model):
    """An item is ticked for a bike.

    Attributes:
        seq: the number of the entry in the event's chain that ticked it.
    """

    item = models.ForeignKey(CheckItem, on_delete=models.PROTECT, related_name="checks")
    bike = models.ForeignKey(Bike, on_delete=models.PROTECT, related_name="checks")
    seq = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["item", "bike"], name="bike_check_once_per_item")]

    def __str__(self) -> str:
        return f"{self.item_id} {self.bike_id}"

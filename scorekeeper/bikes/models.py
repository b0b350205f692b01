"""Bikes: machines with a number.

Terms: a number that two bikes claim is given to both, the second as "57 (2)" (`suffix` 2), until the organiser merges
or renumbers them. A merged bike stays as an *alias*: its id still leads to the bike it was merged into.
"""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event


class Bike(UUIDModel):
    """A machine at an event. The id may be made by the phone that registers it."""

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="bikes")
    number = models.PositiveIntegerField(_("number"), validators=[MinValueValidator(1), MaxValueValidator(99_999)])
    suffix = models.PositiveSmallIntegerField(default=1, editable=False)
    make = models.CharField(_("make"), max_length=60, blank=True)
    model = models.CharField(_("model"), max_length=60, blank=True)
    group = models.ForeignKey(
        Group, on_delete=models.PROTECT, null=True, blank=True, related_name="bikes", verbose_name=_("group")
    )
    is_walk_up = models.BooleanField(_("registered at the ride"), default=False, editable=False)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="aliases", editable=False
    )

    class Meta:
        ordering = ["number", "suffix"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "number", "suffix"],
                condition=models.Q(merged_into=None),
                name="bike_number_once_per_event",
            )
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The number as people read it: "57", or "57 (2)" for the second bike that claims it."""
        return label_bike(self.number, self.suffix)


def label_bike(number: int, suffix: int) -> str:
    """Return a bike's number as people read it."""
    return str(number) if suffix == 1 else f"{number} ({suffix})"

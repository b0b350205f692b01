"""The big screen of an event: what it shows, and for how long.

What it may show of the standings is decided by `scorekeeper.standings.selectors.audience`, as for every page.
"""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.models import Event


class Screen(models.Model):
    """The settings of an event's big screen. Without a row, the screen shows all contests."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="screen")
    # Ids of the contests, in the order in which they are shown; empty for all contests.
    contests = models.JSONField(default=list)
    seconds = models.PositiveSmallIntegerField(
        _("seconds for each page"), default=10, validators=[MinValueValidator(8), MaxValueValidator(12)]
    )
    sponsor = models.CharField(_("sponsor line"), max_length=120, blank=True)
    version = models.PositiveBigIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return f"screen of {self.event_id}"

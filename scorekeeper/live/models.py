"""The big screen of an event.

Terms: a screen is *live* while it shows the current standings. It is *frozen* before the prize giving, when it shows
the standings of one moment. It is *revealing* while it shows the result step by step, from the last place up. Freezing
and revealing change only the screen; pages, files and the log are not affected.

Invariant: frozen boards contain no names, so that names can be erased.
"""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.events.models import Event


class Screen(models.Model):
    """The settings and state of an event's big screen. Without a row, the screen shows all contests, live."""

    class Phase(models.TextChoices):
        LIVE = "live", _("Live")
        FROZEN = "frozen", _("Frozen")
        REVEALING = "revealing", _("Revealing")

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="screen")
    # Ids of the contests, in the order in which they are shown; empty for all contests.
    contests = models.JSONField(default=list)
    seconds = models.PositiveSmallIntegerField(
        _("seconds for each page"), default=10, validators=[MinValueValidator(8), MaxValueValidator(12)]
    )
    sponsor = models.CharField(_("sponsor line"), max_length=120, blank=True)
    phase = models.CharField(max_length=10, choices=Phase.choices, default=Phase.LIVE, editable=False)
    frozen_at = models.DateTimeField(null=True, editable=False, db_column="kept_at")
    # While the screen is not live: the boards of that moment as plain data, by contest id.
    frozen_boards = models.JSONField(default=dict, editable=False, db_column="kept")
    steps = models.PositiveSmallIntegerField(default=0, editable=False)
    version = models.PositiveBigIntegerField(default=0, editable=False)

    def __str__(self) -> str:
        return f"{self.event_id} {self.phase}"

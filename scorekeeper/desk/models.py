"""What the organisers decided about warnings, and how far the playing of a practice event has got.

Warnings themselves are computed anew for each page.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.events.models import Event, Organiser
from scorekeeper.stops.models import Stop


class DismissedWarning(models.Model):
    """A warning that an organiser has dismissed, with the reason.

    Attributes:
        key: identifies the warning: what it is about, and the entries that raised it.
        dismissed_by: the organiser's id, as in the log.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="dismissed_warnings")
    key = models.CharField(max_length=200)
    reason = models.CharField(max_length=200)
    dismissed_by = models.UUIDField()
    dismissed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "key"], name="warning_dismissed_once")]

    def __str__(self) -> str:
        return self.key


class PracticeRun(UUIDModel):
    """The last time that a practice event was played up to a stop.

    Attributes:
        organiser: who asked for it, and in whose name it is recorded.
        stop: the last stop that is played; None for no turns at stops.
        tables: how far the tables are played.
        seed: what the rolls follow from.
        done: how many cards have been played so far, of the total.
    """

    class Tables(models.TextChoices):
        NONE = "none", _("Leave the tables as they are")
        CREATED = "created", _("Create tables, and play nothing")
        HALF = "half", _("Play about half of each table")
        FINISHED = "finished", _("Play every table to its end")

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="practice_run")
    organiser = models.ForeignKey(Organiser, on_delete=models.CASCADE, related_name="+")
    stop = models.ForeignKey(Stop, on_delete=models.CASCADE, null=True, related_name="+")
    tables = models.CharField(max_length=10, choices=Tables.choices, default=Tables.NONE)
    seed = models.CharField(max_length=40)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.event}: {self.done} of {self.total}"

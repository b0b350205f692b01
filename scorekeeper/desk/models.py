"""What the organisers decided about warnings. Warnings themselves are computed anew for each page."""

from __future__ import annotations

from django.db import models

from scorekeeper.events.models import Event


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

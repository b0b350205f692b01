"""Dismissing warnings, and undoing that. Neither changes anything about the ride."""

from __future__ import annotations

from django.utils import timezone

from scorekeeper.desk.models import DismissedWarning
from scorekeeper.desk.ride_warnings import RideWarning
from scorekeeper.events.models import Event, Organiser


def dismiss_warning(organiser: Organiser, warning: RideWarning, reason: str) -> None:
    """Dismiss a warning with the reason. If somebody else has dismissed it, theirs stays."""
    DismissedWarning.objects.get_or_create(
        event=organiser.event,
        key=warning.key,
        defaults={"reason": reason, "dismissed_by": organiser.pk, "dismissed_at": timezone.now()},
    )


def restore_warning(event: Event, key: str) -> bool:
    """List a dismissed warning again; return whether it was dismissed."""
    deleted, _by_model = event.dismissed_warnings.filter(key=key).delete()
    return deleted > 0

"""Services that put a draw of cards on an event's screens, and take it off.

Both are safe to repeat: the same button may be pressed twice, or on two devices.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.pubsub import publish_change
from scorekeeper.events.models import Contest, Event
from scorekeeper.standings.models import ShownDraw
from scorekeeper.standings.selectors.cuts import get_last_cut_time


def show_draw(contest: Contest, holders: Iterable[UUID]) -> None:
    """Show a draw on the event's screens, instead of the one that is there. A freeze does not withhold it.

    Args:
        holders: those who were tied at first.
    """
    _save(contest.event, contest, sorted(map(str, holders)))


def hide_draw(event: Event) -> None:
    """Take the draw off the event's screens, also one that is there because its cards were just entered."""
    _save(event, None, [])


@transaction.atomic
def _save(event: Event, contest: Contest | None, holders: list[str]) -> None:
    ShownDraw.objects.get_or_create(event=event, defaults={"changed_at": timezone.now()})
    shown = ShownDraw.objects.select_for_update().get(event=event)
    shown.contest, shown.holders = contest, holders
    # What the organiser does now comes after cards that a machine with a fast clock has recorded.
    now = timezone.now()
    shown.changed_at = max(now, get_last_cut_time(event) or now)
    shown.version += 1
    shown.save()
    publish_change(event.pk)
